// Relays the events of a store to the broker that the settings name.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/node/clock.js'
import { nodeCrypto } from '../adapters/node/crypto.js'
import { DEFAULT_RELAY, startRelay } from '../adapters/node/relay-loop.js'
import { BadConfiguration } from '../config/bad-configuration.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Store } from '../ports/store.js'
import { loadDriver } from './load-driver.js'
import { type Log, logNotify } from './log.js'

export interface EventRelay {
  readonly wake: () => void
  /** Settles the events in flight. After the timeout their claims are left to expire. */
  readonly stop: (timeoutMs: number) => Promise<void>
}

/** Starts to relay; `source` is the public base address. */
export type StartEventRelay = (source: string, store: Pick<Store, 'outbox'>, log: Log) => EventRelay

export interface RelayConfig {
  readonly url: string
  /** The variable that gave the URL. */
  readonly variable: string
  readonly typePrefix: string
}

/** Tells on the level debug what became of each event. */
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

/** Prepares the relay; throws `BadConfiguration` if its driver is missing. The broker need not be reachable. */
export const prepareEventRelay = async ({ url, variable, typePrefix }: RelayConfig): Promise<StartEventRelay> => {
  const hidden = `${variable}: got a value that is not shown`
  const { natsAddress } = await import('../adapters/nats/address.js')
  const { makeNatsPublisher } = await loadDriver(
    hidden,
    ['@nats-io/transport-node', '@nats-io/jetstream'],
    () => import('../adapters/nats/event-publisher.js'),
  )
  const address = natsAddress(url)
  if (E.isLeft(address)) throw new BadConfiguration(`${hidden}, which ${address.left}`)

  return (source, { outbox }, log) => {
    const notify = logNotify(log)
    const hasSent = pipe(
      outbox.backlog,
      TE.map((backlog) => backlog.hasSent),
    )
    const publisher = makeNatsPublisher(address.right, { source, typePrefix, hasSent }, notify)
    const relay = startRelay(
      { outbox, publisher: loggingDeliveries(publisher, log), clock: systemClock, crypto: nodeCrypto },
      DEFAULT_RELAY,
      notify,
    )
    const end = async (): Promise<void> => {
      await relay.stop()
      await publisher.close()
    }
    return {
      wake: relay.wake,
      stop: (timeoutMs) => Promise.race([end(), pause(timeoutMs, undefined, { ref: false })]),
    }
  }
}
