// npx tsx bench/scale/instances.ts: one, two and four instances on one database, under the same load. Rounds alternate.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { launchBroker } from '../../test/support/nats/nats-broker.js'
import { withArrivals } from '../method/arrivals.js'
import { moveToLoadCore } from '../method/cores.js'
import { BASE_URL, createRequest } from '../method/learn.js'
import { openLoad } from '../method/load.js'
import { SERVICE } from '../method/paths.js'
import { prepare } from '../method/prepare.js'
import { quantile, rounded } from '../method/quantile.js'
import { type HttpRequest, requestBytes } from '../method/request.js'
import { type Server, withServers } from '../method/server-process.js'
import { withMongodb } from '../method/services.js'
import { cell, markdownTable } from '../report/markdown.js'
import { databaseCpuMicros } from './database-cpu.js'

const COUNTS = [1, 2, 4] as const
const CONNECTIONS = 64
const PETS = 500
const ROUNDS = Number(process.env['ROUNDS'] ?? 8)
const ROUND_MS = Number(process.env['ROUND_MS'] ?? 700)
const BEST = 0.2

interface Sample {
  readonly perSecond: number
  readonly serviceMicros: number
  readonly databaseMicros: number
  readonly commands: number
}

const FIGURES = ['serviceMicros', 'databaseMicros', 'commands'] as const

const issueKey = async (environment: Readonly<Record<string, string>>): Promise<string> => {
  const options = { env: { PATH: process.env['PATH'], ...environment } }
  const { stdout } = await promisify(execFile)(process.execPath, [SERVICE, 'keys', 'create', '--json'], options)
  return (JSON.parse(stdout) as { readonly key: string }).key
}

const cpuOf = async (servers: readonly Server[]): Promise<number> => {
  const usages = await Promise.all(servers.map((server) => server.usage()))
  return usages.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
}

prepare()
moveToLoadCore()
const broker = await launchBroker('jetstream { sync_interval: always }')
const measured = withMongodb(({ database, messages }) =>
  withServers(async (start) => {
    const launch = async (name: string, more: Readonly<Record<string, string>>) => {
      const environment = { STORE: 'mongodb', MONGODB_URI: database(), PUBLIC_URL: BASE_URL, ...more }
      const servers: Server[] = []
      for (let n = 1; n <= Math.max(...COUNTS); n += 1) {
        servers.push(await start({ name: `${name} ${n}`, program: [SERVICE, 'serve'], environment }))
      }
      return { servers, key: await issueKey(environment) }
    }

    /** A round of load that is spread over the first instances; all of them are counted, the idle ones too. */
    const sample = async (
      servers: readonly Server[],
      count: number,
      requests: readonly HttpRequest[],
      status: number,
      settled: (created: number) => Promise<void>,
    ): Promise<Sample> => {
      const bytes = requests.map(requestBytes)
      const loads = await Promise.all(
        servers.slice(0, count).map(({ port }) => openLoad(port, bytes, status, CONNECTIONS / count)),
      )
      // opens connections and fills caches
      const warm = await Promise.all(loads.map((load) => load.run(200)))
      await settled(warm.reduce((sum, round) => sum + round.requests, 0))
      const before = { cpu: await cpuOf(servers), database: databaseCpuMicros(), messages: await messages() }
      const rounds = await Promise.all(loads.map((load) => load.run(ROUND_MS)))
      const total = rounds.reduce((sum, round) => sum + round.requests, 0)
      await settled(total)
      const commands = ((await messages()) - before.messages - 1) / total
      const figures = {
        perSecond: rounds.reduce((sum, round) => sum + round.requests / round.seconds, 0),
        serviceMicros: ((await cpuOf(servers)) - before.cpu) / total,
        databaseMicros: (databaseCpuMicros() - before.database) / total,
        commands,
      }
      for (const load of loads) load.close()
      return figures
    }

    const measure = async (
      name: string,
      servers: readonly Server[],
      requests: readonly HttpRequest[],
      status: number,
      settled: (created: number) => Promise<void> = async () => {},
    ): Promise<readonly (readonly string[])[]> => {
      const samples = new Map<number, Sample[]>(COUNTS.map((count) => [count, []]))
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const count of COUNTS) {
          process.stderr.write(`${name}, ${count}\n`)
          samples.get(count)?.push(await sample(servers, count, requests, status, settled))
        }
      }
      const best = (count: number, figure: keyof Sample, share: number): number =>
        quantile(samples.get(count)?.map((one) => one[figure]) ?? [], share)
      return COUNTS.map((count) => [
        `${name}, ${count}`,
        cell(rounded(best(count, 'perSecond', 1 - BEST))),
        ...FIGURES.flatMap((figure) => [
          cell(rounded(best(count, figure, BEST))),
          cell(rounded(best(count, figure, BEST) / best(1, figure, BEST))),
        ]),
      ])
    }

    const plain = await launch('plain', {})
    const created = await measure('create', plain.servers, [createRequest(plain.key)], 201)
    const byId = Array.from(
      { length: PETS },
      (_, n): HttpRequest => ({ method: 'GET', path: `/v1/pets/${n + 1}`, key: plain.key }),
    )
    const read = await measure('by id', plain.servers, byId, 200)
    const relayed = await launch('relayed', { EVENTS_URL: broker.url })
    const request = createRequest(relayed.key)
    // the first event makes the stream
    const first = await openLoad(relayed.servers[0]?.port ?? 0, [requestBytes(request)], 201, 1)
    let sent = (await first.run(1)).requests
    first.close()
    const withEvents = await withArrivals(broker.url, (arrivals) =>
      measure('create with event', relayed.servers, [request], 201, async (count) => {
        sent += count
        await arrivals.until(sent)
      }),
    )
    return [...created, ...read, ...withEvents]
  }),
)
await Promise.allSettled([measured])
await broker.remove()
const rows = await measured

const heads = ['CPU µs of all instances', 'CPU µs of the database', 'commands'].flatMap((head) => [head, 'of one'])
process.stdout.write(`${markdownTable(['instances', 'requests/s', ...heads], rows)}\n`)
