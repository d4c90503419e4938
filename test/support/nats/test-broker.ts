import { connect, type NodeConnectionOptions } from '@nats-io/transport-node'
import { onTestFinished } from 'vitest'
import { type Broker, launchBroker } from './nats-broker.js'

export const startBroker = async (...settings: Parameters<typeof launchBroker>): Promise<Broker> => {
  const broker = await launchBroker(...settings)
  onTestFinished(async () => {
    await broker.remove()
  })
  return broker
}

export const openConnection = async (url: string, options: NodeConnectionOptions = {}) => {
  const connection = await connect({ servers: url, ...options })
  onTestFinished(() => connection.close())
  return connection
}
