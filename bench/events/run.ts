// What publishing costs a create, how many events leave a second, and how long one takes from its 201 to a consumer.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import autocannon from 'autocannon'
import { startBroker } from '../../test/support/nats-broker.js'
import { type ServerProcess, startServer } from '../http/server-process.js'

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const PROBES = 100
const SUBJECT = 'org.animal-store.pet.created.v1'
const STORE = process.env['STORE'] ?? 'embedded'

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN
const median = (values: readonly number[]): number => quantile(values, 0.5)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const headersOf = ({ key }: ServerProcess) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
const newPet = (name: string): string => JSON.stringify({ name, categoryId: 7, status: 'available' })

/** Creates a second; the load has a thread of its own. */
const load = async (server: ServerProcess): Promise<number> => {
  const result = await autocannon({
    url: `${server.url}/pets`,
    method: 'POST',
    headers: headersOf(server),
    body: newPet('Rex'),
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.total / result.duration
}

const broker = await startBroker('jetstream { sync_interval: always }')
const folders: string[] = []
const serve = async (environment: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-events-'))
  folders.push(folder)
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const settings = { STORE, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info', ...environment }
  return startServer([cli, 'serve'], settings)
}
const off = await serve({})
const on = await serve({ EVENTS_URL: broker.url })

const connection = await connect({ servers: broker.url })
const manager = await jetstreamManager(connection)
const arrivals = new Map<string, (instant: number) => void>()
let count = 0

const consume = async (): Promise<void> => {
  let [stream] = await manager.streams.names(SUBJECT).next()
  for (; stream === undefined; [stream] = await manager.streams.names(SUBJECT).next()) await pause(20)
  const consumer = await jetstream(connection).consumers.get(stream)
  for await (const message of await consumer.consume()) {
    count += 1
    const name = /"name":"(probe \d+)"/.exec(message.string())?.[1]
    if (name !== undefined) arrivals.get(name)?.(performance.now())
  }
}
const consuming = consume()

/** Milliseconds from the 201 in the client's hands to the message in the consumer's. */
const probe = async (number: number): Promise<number> => {
  const name = `probe ${number}`
  const arrival = new Promise<number>((resolve) => arrivals.set(name, resolve))
  const response = await fetch(`${on.url}/pets`, { method: 'POST', headers: headersOf(on), body: newPet(name) })
  await response.text()
  const answered = performance.now()
  return Math.max(0, (await arrival) - answered)
}

const probes = async (first: number, gap: number): Promise<readonly number[]> => {
  const delays: number[] = []
  for (let at = 0; at < PROBES; at += 1) {
    delays.push(await probe(first + at))
    await pause(gap)
  }
  return delays
}

const tell = (when: string, delays: readonly number[]): boolean =>
  say(`201 to consumer ${when}: median ${median(delays).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms`)

try {
  await probe(0)
  tell('at rest', await probes(1_000, 30))
  const rates: { readonly off: number; readonly on: number; readonly events: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await load(off)
    const before = count
    const start = performance.now()
    const created = await load(on)
    const target = before + created * SECONDS
    while (count < target) await pause(5)
    rates.push({ off: without, on: created, events: ((count - before) * 1_000) / (performance.now() - start) })
  }
  say(`creates with publishing, of those without: ${median(rates.map((rate) => rate.on / rate.off)).toFixed(2)}`)
  say(`events a second, of creates a second: ${median(rates.map((rate) => rate.events / rate.on)).toFixed(2)}`)
  say(`(${STORE}: ${Math.round(median(rates.map((rate) => rate.off)))} creates a second without publishing)`)
  const loaded = load(on)
  tell('at full load', await probes(2_000, 0))
  await loaded
} finally {
  await Promise.all([off.stop(), on.stop()])
  await connection.close()
  await consuming
  await broker.remove()
  for (const folder of folders) await rm(folder, { recursive: true })
}
