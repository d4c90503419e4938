// Server containers for tests. MONGO_IMAGE and NATS_IMAGE override the images.
import { connect as connectNats } from '@nats-io/transport-node'
import { MongoClient } from 'mongodb'
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'

export interface Server {
  readonly address: string
  readonly container: StartedTestContainer
  readonly stop: () => Promise<unknown>
}

const imageOf = (variable: string, fallback: string): string => process.env[variable] || fallback

export const mongodbContainer = (port = 27_017): GenericContainer =>
  new GenericContainer(imageOf('MONGO_IMAGE', 'mongo:8'))
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forListeningPorts())

export const natsContainer = (): GenericContainer =>
  new GenericContainer(imageOf('NATS_IMAGE', 'nats:2'))
    .withCommand(['-js'])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forListeningPorts())

/** Its address names no database. */
export const startMongodb = async (): Promise<Server> => {
  const container = await mongodbContainer().start()
  const address = `mongodb://${container.getHost()}:${container.getMappedPort(27_017)}/?directConnection=true`
  const client = new MongoClient(address)
  await client.db('admin').command({ ping: 1 })
  await client.close()
  return { address, container, stop: () => container.stop() }
}

export const startNats = async (): Promise<Server> => {
  const container = await natsContainer().start()
  const address = `nats://${container.getHost()}:${container.getMappedPort(4222)}`
  const connection = await connectNats({ servers: address, waitOnFirstConnect: true, reconnectTimeWait: 50 })
  await connection.close()
  return { address, container, stop: () => container.stop() }
}
