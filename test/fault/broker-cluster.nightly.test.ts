// No event is lost while the servers of a JetStream cluster are killed one after the other.
import { Network } from 'testcontainers'
import { expect, it, onTestFinished } from 'vitest'
import { natsContainer } from '../support/containers/containers.js'
import { describeWith } from '../support/containers/describe-with.js'
import { type Broker, managed } from '../support/nats/nats-broker.js'
import { startBroker } from '../support/nats/test-broker.js'
import { freePort } from '../support/network/free-port.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf, SUBJECT } from './event-scene.js'

const NAMES = ['n1', 'n2', 'n3'] as const
const ROUTES = NAMES.map((name) => `nats://${name}:6222`).join()

/** Each server tells its clients the addresses of all servers. */
const startCluster = async (): Promise<readonly [Broker, Broker, Broker]> => {
  const network = await new Network().start()
  onTestFinished(async () => {
    await network.stop()
  })
  const startNode = async (name: string): Promise<Broker> => {
    const port = await freePort()
    const configuration = `
      server_name: ${name}
      client_advertise: "127.0.0.1:${port}"
      cluster { name: test, listen: 0.0.0.0:6222, routes: [${ROUTES}] }`
    return startBroker(configuration, port, {}, natsContainer().withNetwork(network).withNetworkAliases(name))
  }
  const [one, two, three] = NAMES
  const nodes = [await startNode(one), await startNode(two), await startNode(three)] as const
  for (const { url } of nodes) await eventually(() => managed(url, (manager) => manager.getAccountInfo()))
  return nodes
}

const inSync = (url: string, subject: string): Promise<void> =>
  eventually(() =>
    managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      const { cluster, config } = await streams.info(name)
      expect(config.num_replicas).toBe(NAMES.length)
      const others = cluster?.replicas?.map(({ current, offline }) => current && !offline)
      expect(others).toStrictEqual([true, true])
    }),
  )

describeWith('nats-container', 'a cluster of three brokers', () => {
  it('gets every event of a service that knew only its first server, on whichever servers survive', async () => {
    const nodes = await startCluster()
    const [first, second] = nodes
    const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: first.url }
    const ledger = await ledgerOf(settings)
    const { url } = await startServiceProcess(settings)
    const stopLoad = ledger.load(url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(20))
    // killing two of three loses the majority
    for (const killed of [...nodes.map((node) => [node]), [first, second]]) {
      await inSync(first.url, SUBJECT)
      await Promise.all(killed.map((node) => node.kill()))
      const before = ledger.acknowledged()
      await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100))
      await Promise.all(killed.map((node) => node.start()))
    }
    expect(await stopLoad()).toBe(0)
    await ledger.drained()
    await ledger.readStream(first.url)
    ledger.check()
  })
})
