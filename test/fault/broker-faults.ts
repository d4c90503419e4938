// The faults of a broker that the service must survive.
import { type Broker, deleteStreams, managed } from '../support/nats/nats-broker.js'
import { SUBJECT } from './event-scene.js'

const changeStream = (url: string, change: object): Promise<unknown> =>
  managed(url, async ({ streams }) => {
    const [name = ''] = await streams.names(SUBJECT).next()
    return streams.update(name, change)
  })

type Change = (broker: Broker) => Promise<unknown>

/** The faults of a broker: how they begin and how they end. */
export const BROKER_FAULTS: readonly (readonly [fault: string, begin: Change, end: Change])[] = [
  ['is killed -9', (one) => one.kill(), (one) => one.start()],
  ['hangs', (one) => one.pause(), (one) => one.resume()],
  ['loses its stream', ({ url }) => deleteStreams(url, SUBJECT), async () => {}],
  ['is full', ({ url }) => changeStream(url, { max_msgs: 1 }), ({ url }) => changeStream(url, { max_msgs: -1 })],
]
