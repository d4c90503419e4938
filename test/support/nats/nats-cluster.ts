// A JetStream cluster of three servers for a test.
import { Network } from 'testcontainers'
import { expect, onTestFinished } from 'vitest'
import { natsContainer } from '../containers/containers.js'
import { freePort } from '../network/free-port.js'
import { eventually } from '../runner/eventually.js'
import { type Broker, managed } from './nats-broker.js'
import { startBroker } from './test-broker.js'

const NAMES = ['n1', 'n2', 'n3'] as const
const ROUTES = NAMES.map((name) => `nats://${name}:6222`).join()

/** Servers that end with the test. Each tells its clients the addresses of all. */
export const startCluster = async (): Promise<readonly [Broker, Broker, Broker]> => {
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

/** Waits until each server has all messages of the stream. */
export const inSync = (url: string, subject: string): Promise<void> =>
  eventually(() =>
    managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      const { cluster, config } = await streams.info(name)
      expect(config.num_replicas).toBe(NAMES.length)
      const others = cluster?.replicas?.map(({ current, offline }) => current && !offline)
      expect(others).toStrictEqual([true, true])
    }),
  )
