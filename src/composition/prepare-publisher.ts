// The publisher for the broker or the webhook that the settings name. Its driver is loaded only if they name one.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/node/system.js'
import type { Log } from '../adapters/pino/json-log.js'
import type { Config } from '../config/config.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Store } from '../ports/store.js'
import { logNotify } from './service-log.js'
import type { ClosablePublisher } from './start-relaying.js'

/** Makes the publisher, which connects when it needs to; `source` is the public base address. */
type MakePublisher = (source: string, store: Pick<Store, 'relay'>, log: Log) => ClosablePublisher

/** Logs the delivery of each event that was tried, at the level debug. */
const loggingDeliveries = <P extends EventPublisher>(publisher: P, log: Log): P =>
  log.isLevelEnabled('debug')
    ? {
        ...publisher,
        publish: (events) => async () => {
          const deliveries = await publisher.publish(events)()
          for (const [at, delivery] of deliveries.entries())
            log.debug({ eventId: events[at]?.eventId, delivery }, 'event')
          return deliveries
        },
      }
    : publisher

/** The publisher of the settings, if they name one. Its receiver need not be reachable. */
export const preparePublisher = async ({
  events,
  eventsTypePrefix: typePrefix,
}: Pick<Config, 'events' | 'eventsTypePrefix'>): Promise<MakePublisher | undefined> => {
  if (events === undefined) return undefined
  if (events._tag === 'Webhook') {
    const { makeWebhookPublisher } = await import('../adapters/webhook/event-publisher.js')
    return (source, _store, log) => {
      const settings = { source, typePrefix, clock: systemClock }
      return loggingDeliveries(makeWebhookPublisher(events, settings, logNotify(log)), log)
    }
  }
  const { makeNatsPublisher } = await import('../adapters/nats/event-publisher.js')
  return (source, { relay }, log) => {
    const hasSent = pipe(relay.load, TE.map(O.exists(({ hasSent }) => hasSent)))
    return loggingDeliveries(makeNatsPublisher(events, { source, typePrefix, hasSent }, logNotify(log)), log)
  }
}
