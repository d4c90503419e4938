// Relays the events of a store to where the settings mean; without such a place nothing waits and nothing runs.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { systemClock } from './adapters/node/clock.js'
import { nodeCrypto } from './adapters/node/crypto.js'
import { DEFAULT_RELAY, startRelay } from './adapters/node/relay-loop.js'
import { BadConfiguration } from './config/bad-configuration.js'
import { loadDriver } from './drivers.js'
import { type Log, logNotify } from './log.js'
import type { Store } from './ports/store.js'

export interface Relaying {
  readonly wake: () => void
  /** Settles what is under way; after so many milliseconds it is left to the lapse of its claim. */
  readonly stop: (patience: number) => Promise<void>
}

/** Starts to relay; `source` is the public base address. */
export type StartRelaying = (source: string, store: Pick<Store, 'outbox'>, log: Log) => Relaying

const HIDDEN_URL = 'EVENTS_URL: got a value that is not shown'

/** Readies the relay; a driver that is missing is `BadConfiguration`. The broker need not be there, now or later. */
export const prepareEvents = async (eventsUrl: string, typePrefix: string): Promise<StartRelaying> => {
  const { natsAddress } = await import('./adapters/nats/address.js')
  const { makeNatsPublisher } = await loadDriver(
    HIDDEN_URL,
    ['@nats-io/transport-node', '@nats-io/jetstream'],
    () => import('./adapters/nats/event-publisher.js'),
  )
  const address = natsAddress(eventsUrl)
  if (E.isLeft(address)) throw new BadConfiguration(`${HIDDEN_URL}, which ${address.left}`)

  return (source, { outbox }, log) => {
    const notify = logNotify(log)
    const publisher = makeNatsPublisher(address.right, { source, typePrefix }, notify)
    const relay = startRelay({ outbox, publisher, clock: systemClock, crypto: nodeCrypto }, DEFAULT_RELAY, notify)
    const end = async (): Promise<void> => {
      await relay.stop()
      await publisher.close()
    }
    return {
      wake: relay.wake,
      stop: (patience) => Promise.race([end(), pause(patience, undefined, { ref: false })]),
    }
  }
}
