// The publisher for the broker that the settings name.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { NatsPublisher } from '../adapters/nats/event-publisher.js'
import type { EventsUrl } from '../config/events-url.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Store } from '../ports/store.js'
import { loadDriver } from './load-driver.js'
import type { Log } from './log.js'
import { logNotify } from './service-log.js'

/** Connects to the broker in the background; `source` is the public base address. */
export type MakeBrokerPublisher = (source: string, store: Pick<Store, 'relay'>, log: Log) => NatsPublisher

export interface BrokerConfig {
  readonly url: EventsUrl
  /** The variable that the URL came from. */
  readonly variable: string
  readonly typePrefix: string
}

/** Logs the outcome of each event at the level debug. */
const loggingDeliveries = (publisher: EventPublisher, log: Log): EventPublisher =>
  log.isLevelEnabled('debug')
    ? {
        publish: (events) => async () => {
          const deliveries = await publisher.publish(events)()
          for (const [at, { eventId }] of events.entries()) log.debug({ eventId, delivery: deliveries[at] }, 'event')
          return deliveries
        },
      }
    : publisher

/** Prepares the publisher; throws `BadConfiguration` if its driver is missing. The broker need not be reachable. */
export const prepareBrokerPublisher = async ({
  url,
  variable,
  typePrefix,
}: BrokerConfig): Promise<MakeBrokerPublisher> => {
  const { makeNatsPublisher } = await loadDriver(
    `${variable}: got a value that is not shown`,
    ['@nats-io/transport-node', '@nats-io/jetstream'],
    () => import('../adapters/nats/event-publisher.js'),
  )
  return (source, { relay }, log) => {
    const hasSent = pipe(relay.load, TE.map(O.exists(({ hasSent }) => hasSent)))
    const publisher = makeNatsPublisher(url, { source, typePrefix, hasSent }, logNotify(log))
    return { ...publisher, ...loggingDeliveries(publisher, log) }
  }
}
