// No event is lost, whatever fails: service, broker, stream, credentials.
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { testDatabase } from '../support/mongodb/test-database.js'
import type { Broker } from '../support/nats/nats-broker.js'
import { startBroker } from '../support/nats/test-broker.js'
import { freePort } from '../support/network/free-port.js'
import { openProxy } from '../support/network/tcp-proxy.js'
import type { Environment } from '../support/processes/cli-process.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf } from './event-scene.js'

const KILLS = byNight(4, 1)

const storeSuite = (makeSettings: () => Promise<Environment>): void => {
  it('loses no event to repeated kill -9 between acknowledgement and mark [relayed]', async () => {
    const { url } = await startBroker()
    const { port, delay } = await openProxy(Number(new URL(url).port))
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
      // few creates, because nothing is sent before the lease of the killed process ends
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

// A broker behaves the same with every store
describeWith('nats-container', 'events of the embedded store', () => {
  const makeSettings = async () => ({ DATA_DIR: await temporaryFolder() })
  storeSuite(makeSettings)

  it.each<[string, begin: (broker: Broker) => Promise<unknown>, end: (broker: Broker) => Promise<unknown>]>([
    ['is killed -9', (broker) => broker.kill(), (broker) => broker.start()],
    ['hangs', (broker) => broker.pause(), (broker) => broker.resume()],
  ])('serves requests, and catches up afterwards, when the broker %s', async (_, begin, end) => {
    const broker = await startBroker()
    const ledger = await ledgerOf({ ...(await makeSettings()), EVENTS_URL: broker.url })
    await ledger.listen(broker.url)
    await ledger.outlast(
      () => expect(ledger.acknowledged()).toBeGreaterThan(20),
      () => begin(broker),
      () => end(broker),
    )
    await ledger.readStream(broker.url)
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
    const broker = await startBroker('', port)
    await ledger.drained()
    await ledger.readStream(broker.url)
    ledger.check()
    expect(await end('SIGTERM')).toBe(0)
  })
})

describeWith(
  'mongodb',
  'events of MongoDB',
  (address) => {
    const { uri } = testDatabase(address)
    storeSuite(async () => ({ MONGODB_URI: uri }))
  },
  ['nats-container'],
)
