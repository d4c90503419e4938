// No event is lost, whatever fails: service, broker, stream, credentials.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { type Broker, deleteStreams, managed } from '../support/nats/nats-broker.js'
import { startBroker } from '../support/nats/test-broker.js'
import { freePort } from '../support/network/free-port.js'
import { openProxy } from '../support/network/tcp-proxy.js'
import type { Environment } from '../support/processes/cli-process.js'
import { runCommand, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf, SUBJECT } from './event-scene.js'

const portOf = ({ url }: Pick<Broker, 'url'>): number => Number(new URL(url).port)

const changeStream = (url: string, change: object): Promise<unknown> =>
  managed(url, async ({ streams }) => {
    const [name = ''] = await streams.names(SUBJECT).next()
    return streams.update(name, change)
  })

type Change = (broker: Broker) => Promise<unknown>

/** The faults of a broker: how they begin and how they end. */
const BROKER_FAULTS: readonly (readonly [fault: string, begin: Change, end: Change])[] = [
  ['is killed -9', (one) => one.kill(), (one) => one.start()],
  ['hangs', (one) => one.pause(), (one) => one.resume()],
  ['loses its stream', ({ url }) => deleteStreams(url, SUBJECT), async () => {}],
  ['is full', ({ url }) => changeStream(url, { max_msgs: 1 }), ({ url }) => changeStream(url, { max_msgs: -1 })],
]

const KILLS = byNight(4, 1)

/** What holds because of the store. */
const storeSuite = (makeSettings: () => Promise<Environment>): void => {
  it('loses no event to repeated kill -9 between acknowledgement and mark [relayed]', async () => {
    const { url } = await startBroker()
    const { port, delay } = await openProxy(portOf({ url }))
    delay(100)
    const settings = { ...(await makeSettings()), EVENTS_URL: `nats://127.0.0.1:${port}` }
    const ledger = await ledgerOf(settings)
    let heard = 0
    let killAt = Number.POSITIVE_INFINITY
    let kill = (): void => {}
    await ledger.listen(url, () => {
      heard += 1
      if (heard >= killAt) kill()
    })
    for (let round = 0; round < KILLS; round += 1) {
      const one = await startServiceProcess(settings)
      const killed = new Promise<void>((resolve) => {
        kill = () => void one.end('SIGKILL').then(() => resolve())
      })
      killAt = heard + 1 + round * 5
      // few, because nothing is sent before the lease of the killed process ends
      const stopLoad = ledger.load(one.url, 100)
      await killed
      killAt = Number.POSITIVE_INFINITY
      await stopLoad()
    }
    await startServiceProcess(settings)
    await ledger.drained()
    ledger.check()
    expect(ledger.acknowledged()).toBeGreaterThan(2 * KILLS)
    expect(ledger.doubles()).toBeGreaterThan(0)
  })

  it('shares the work between two relays without duplicates, and survives the death of one', async () => {
    const { url } = await startBroker()
    const settings = { ...(await makeSettings()), EVENTS_URL: url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(url)
    const [one, other] = [await startServiceProcess(settings), await startServiceProcess(settings)]
    const stops = [ledger.load(one.url), ledger.load(other.url)]
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(200))
    for (const stop of stops) expect(await stop()).toBe(0)
    await ledger.drained()
    ledger.check()
    expect(ledger.doubles()).toBe(0)
    const again = [ledger.load(one.url), ledger.load(other.url)]
    const before = ledger.acknowledged()
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 50))
    await one.end('SIGKILL')
    await Promise.all(again.map((stop) => stop()))
    await ledger.drained()
    ledger.check()
  })
}

/** What a broker does is the same for every store. */
const brokerSuite = (makeSettings: () => Promise<Environment>): void => {
  it('parks an event that its broker will never accept, sends the others, and retries it on demand', async () => {
    const strict = await startBroker('max_payload: 1000')
    const settings = { ...(await makeSettings()), EVENTS_URL: strict.url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(strict.url)
    const { url } = await startServiceProcess(settings)
    expect(await ledger.create(url, ledger.key, '\0'.repeat(256))).toBe(true)
    for (const name of ['one', 'two']) expect(await ledger.create(url, ledger.key, name)).toBe(true)
    const parkedOf = async (): Promise<unknown> =>
      JSON.parse(await runCommand(settings, 'events', 'parked', 'list', '--json'))
    const one: unknown = expect.objectContaining({ reason: expect.stringContaining('max_payload') as unknown })
    await eventually(async () => expect(await parkedOf()).toStrictEqual([one]), { interval: 250 })
    expect(JSON.parse(await runCommand(settings, 'events', 'backlog', '--json'))).toStrictEqual({
      backlog: 0,
      oldestSeconds: null,
      parked: 1,
    })
    await strict.remove()
    const lenient = await startBroker('', portOf(strict))
    await ledger.listen(lenient.url)
    expect(JSON.parse(await runCommand(settings, 'events', 'parked', 'retry', '--json'))).toStrictEqual({ retried: 1 })
    await ledger.drained()
    ledger.check()
  })

  it.each(BROKER_FAULTS)('serves requests, and catches up afterwards, when the broker %s', async (_, begin, end) => {
    const one = await startBroker()
    const settings = { ...(await makeSettings()), EVENTS_URL: one.url }
    const ledger = await ledgerOf(settings)
    await ledger.listen(one.url)
    const { url } = await startServiceProcess(settings)
    const stopLoad = ledger.load(url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(20))
    await begin(one)
    const before = ledger.acknowledged()
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100))
    expect((await fetch(url.replace('/v1', '/health/ready'))).status).toBe(200)
    expect(await stopLoad()).toBe(0)
    await end(one)
    await ledger.drained()
    await ledger.readStream(one.url)
    ledger.check()
  })

  it('serves requests without its broker, and sends everything once the broker is available [recovery]', async () => {
    const port = await freePort()
    const settings = { ...(await makeSettings()), EVENTS_URL: `nats://127.0.0.1:${port}` }
    const ledger = await ledgerOf(settings)
    const { url, end } = await startServiceProcess(settings)
    const stopLoad = ledger.load(url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(50))
    expect(await stopLoad()).toBe(0)
    const one = await startBroker('', port)
    await ledger.drained()
    await ledger.readStream(one.url)
    ledger.check()
    expect(await end('SIGTERM')).toBe(0)
  })

  it('stores events while its credentials are wrong, and sends them with the right ones', async () => {
    const one = await startBroker('authorization { user: relay, password: right }')
    const settings = await makeSettings()
    const withPassword = (password: string) => ({
      ...settings,
      EVENTS_URL: one.url.replace('//', `//relay:${password}@`),
    })
    const ledger = await ledgerOf(settings)
    const wrong = await startServiceProcess(withPassword('wrong'))
    const stopLoad = ledger.load(wrong.url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(20))
    expect(await stopLoad()).toBe(0)
    await wrong.end('SIGTERM')
    await startServiceProcess(withPassword('right'))
    await ledger.drained()
  })
}

describeWith('nats-container', 'events of the embedded store', () => {
  const settings = async () => ({ STORE: 'embedded', DATA_DIR: await temporaryFolder() })
  storeSuite(settings)
  brokerSuite(settings)
})

describeWith(
  'mongodb',
  'events of MongoDB',
  (uri) => {
    storeSuite(async () => {
      const address = new URL(uri)
      address.pathname = `/events_test_${randomUUID().slice(0, 8)}`
      return { MONGODB_URI: address.href }
    })
  },
  ['nats-container'],
)
