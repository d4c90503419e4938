import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Environment } from '../support/cli-process.js'
import { closeAfterEach } from '../support/closing.js'
import { describeWith } from '../support/describe-with.js'
import { makeEventLedger } from '../support/event-ledger.js'
import { type Broker, freePort, startBroker, storedMessages } from '../support/nats-broker.js'
import { buildService, issueKey, runCommand, startServiceProcess } from '../support/service-process.js'
import { openSlowLink } from '../support/slow-link.js'

const SUBJECT = 'org.animal-store.pet.created.v1'

const closing = closeAfterEach()

const broker = async (configuration = '', port?: number) =>
  closing(await startBroker(configuration, port), (one) => one.remove())

const service = async (settings: Environment) =>
  closing(await startServiceProcess(settings), (one) => one.end('SIGKILL'))

const ledgerOf = async (settings: Environment) => {
  const key = await issueKey(settings)
  const ledger = makeEventLedger()
  /** Creates pets from four callers at once until it is told to stop; resolves to how many were refused. */
  const load = (url: string) => {
    let isOn = true
    let refused = 0
    const caller = async (): Promise<void> => {
      while (isOn) if (!(await ledger.create(url, key, 'Rex \0 \u{1f436}'))) refused += 1
    }
    const callers = Promise.all([caller(), caller(), caller(), caller()])
    return async (): Promise<number> => {
      isOn = false
      await callers
      return refused
    }
  }
  /** Sees messages as they pass, doubles too, which the stream would drop. */
  const listen = async (url: string, heard = (): void => {}): Promise<void> => {
    const connection = closing(
      await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50 }),
      (one) => one.close(),
    )
    connection.subscribe(SUBJECT, {
      callback: (_, message) => {
        ledger.see(message.string())
        heard()
      },
    })
    await connection.flush()
  }
  const drained = () =>
    vi.waitFor(
      async () => {
        const backlog: unknown = JSON.parse(await runCommand(settings, 'events', 'backlog', '--json'))
        expect(backlog).toStrictEqual({ backlog: 0, oldestSeconds: null, parked: 0 })
      },
      { timeout: 40_000, interval: 250 },
    )
  const readStream = async (url: string): Promise<void> => {
    for (const { text } of await storedMessages(url, SUBJECT)) ledger.see(text)
  }
  return { ...ledger, key, load, listen, drained, readStream }
}

const withStream = async (url: string, use: (name: string) => object | undefined): Promise<void> => {
  const connection = await connect({ servers: url })
  const { streams } = await jetstreamManager(connection)
  const [name = ''] = await streams.names(SUBJECT).next()
  const change = use(name)
  await (change === undefined ? streams.delete(name) : streams.update(name, change))
  await connection.close()
}

const portOf = ({ url }: Broker): number => Number(new URL(url).port)

/** Things that happen to a broker, each with its end. */
const TROUBLES: readonly (readonly [string, (one: Broker) => Promise<unknown>, (one: Broker) => Promise<unknown>])[] = [
  ['is killed -9', (one) => one.kill(), (one) => one.start()],
  ['hangs', (one) => one.pause(), (one) => one.resume()],
  ['loses its stream', ({ url }) => withStream(url, () => undefined), async () => {}],
  [
    'is full',
    ({ url }) => withStream(url, () => ({ max_msgs: 1 })),
    ({ url }) => withStream(url, () => ({ max_msgs: -1 })),
  ],
]

const suite = (makeSettings: () => Promise<Environment>): void => {
  beforeAll(buildService)

  it('loses no event to a kill -9 between acknowledgement and mark, round after round', async () => {
    const { url } = await broker()
    const link = closing(await openSlowLink(Number(new URL(url).port), 100), (one) => one.close())
    const settings = { ...(await makeSettings()), EVENTS_URL: `nats://127.0.0.1:${link.port}` }
    const ledger = await ledgerOf(settings)
    let heard = 0
    let killAt = Number.POSITIVE_INFINITY
    let kill = (): void => {}
    await ledger.listen(url, () => {
      heard += 1
      if (heard >= killAt) kill()
    })
    for (let round = 0; round < 8; round += 1) {
      const one = await service(settings)
      const killed = new Promise<void>((resolve) => {
        kill = () => void one.end('SIGKILL').then(() => resolve())
      })
      killAt = heard + 1 + round * 5
      const stopLoad = ledger.load(one.url)
      await killed
      killAt = Number.POSITIVE_INFINITY
      await stopLoad()
    }
    await service(settings)
    await ledger.drained()
    ledger.check()
    expect(ledger.acknowledged()).toBeGreaterThan(8)
    expect(ledger.doubles()).toBeGreaterThan(0)
  })

  it('shares the work between two relays without doubles, and outlives the death of one', async () => {
    const { url } = await broker()
    const settings = { ...(await makeSettings()), EVENTS_URL: url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(url)
    const [one, other] = [await service(settings), await service(settings)]
    const stops = [ledger.load(one.url), ledger.load(other.url)]
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(200), 20_000)
    for (const stop of stops) expect(await stop()).toBe(0)
    await ledger.drained()
    ledger.check()
    expect(ledger.doubles()).toBe(0)
    const again = [ledger.load(one.url), ledger.load(other.url)]
    const before = ledger.acknowledged()
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 50), 20_000)
    await one.end('SIGKILL')
    await Promise.all(again.map((stop) => stop()))
    await ledger.drained()
    ledger.check()
  })

  it('parks an event that its broker will never take, goes on with the others, and sends it on demand', async () => {
    const strict = await broker('max_payload: 1000')
    const settings = { ...(await makeSettings()), EVENTS_URL: strict.url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(strict.url)
    const { url } = await service(settings)
    expect(await ledger.create(url, ledger.key, '\0'.repeat(256))).toBe(true)
    for (const name of ['one', 'two']) expect(await ledger.create(url, ledger.key, name)).toBe(true)
    const parkedOf = async (): Promise<unknown> =>
      JSON.parse(await runCommand(settings, 'events', 'parked', 'list', '--json'))
    const one: unknown = expect.objectContaining({ reason: expect.stringContaining('max_payload') as unknown })
    await vi.waitFor(async () => expect(await parkedOf()).toStrictEqual([one]), { timeout: 10_000, interval: 250 })
    expect(JSON.parse(await runCommand(settings, 'events', 'backlog', '--json'))).toStrictEqual({
      backlog: 0,
      oldestSeconds: null,
      parked: 1,
    })
    await strict.remove()
    const lenient = await broker('', portOf(strict))
    await ledger.listen(lenient.url)
    expect(JSON.parse(await runCommand(settings, 'events', 'parked', 'retry', '--json'))).toStrictEqual({ retried: 1 })
    await ledger.drained()
    ledger.check()
  })

  it.each(TROUBLES)('serves as if nothing were, and catches up, when the broker %s', async (_, begin, end) => {
    const one = await broker()
    const settings = { ...(await makeSettings()), EVENTS_URL: one.url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(one.url)
    const { url } = await service(settings)
    const stopLoad = ledger.load(url)
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(20), 10_000)
    await begin(one)
    const before = ledger.acknowledged()
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100), 20_000)
    expect((await fetch(url.replace('/v1', '/health/ready'))).status).toBe(200)
    expect(await stopLoad()).toBe(0)
    await end(one)
    await ledger.drained()
    await ledger.readStream(one.url)
    ledger.check()
  })

  it('serves as if nothing were without its broker, and sends everything once that is there', async () => {
    const port = await freePort()
    const settings = { ...(await makeSettings()), EVENTS_URL: `nats://127.0.0.1:${port}` }
    const ledger = await ledgerOf(settings)
    const { url, end } = await service(settings)
    const stopLoad = ledger.load(url)
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(50), 10_000)
    expect(await stopLoad()).toBe(0)
    const one = await broker('', port)
    await ledger.drained()
    await ledger.readStream(one.url)
    ledger.check()
    expect(await end('SIGTERM')).toBe(0)
  })

  it('keeps events that wrong credentials hold back, for the right ones', async () => {
    const one = await broker('authorization { user: relay, password: right }')
    const settings = await makeSettings()
    const withPassword = (password: string) => ({
      ...settings,
      EVENTS_URL: one.url.replace('//', `//relay:${password}@`),
    })
    const ledger = await ledgerOf(settings)
    const wrong = await service(withPassword('wrong'))
    const stopLoad = ledger.load(wrong.url)
    await vi.waitFor(() => expect(ledger.acknowledged()).toBeGreaterThan(20), 10_000)
    expect(await stopLoad()).toBe(0)
    await wrong.end('SIGTERM')
    await service(withPassword('right'))
    await ledger.drained()
  })
}

describeWith('nats-container', 'events of the embedded store', () => {
  suite(async () => {
    const folder = closing(await mkdtemp(join(tmpdir(), 'events-fault-')), (path) => rm(path, { recursive: true }))
    return { STORE: 'embedded', DATA_DIR: folder }
  })
})

describeWith(
  'mongodb',
  'events of MongoDB',
  (uri) => {
    suite(async () => {
      const address = new URL(uri)
      address.pathname = `/events_test_${randomUUID().slice(0, 8)}`
      return { MONGODB_URI: address.href }
    })
  },
  ['nats-container'],
)
