import * as O from 'fp-ts/lib/Option.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { type DomainEvent, eventNumber } from '../../../src/domain/events/domain-event.js'
import { type RelayRecord, unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import type { Store } from '../../../src/ports/store.js'
import { event, recordOf, succeed } from '../../../src/testing/samples.js'

/** The first record of a relay, and possible outcomes of a delivery. */
export const start: RelayRecord = { ...unusedAfter(0), leaseMs: 30_000, version: 1 }
export const delivered: Delivery = { _tag: 'Delivered' }
export const failed: Delivery = { _tag: 'Failed', reason: 'the broker is down' }
export const poisoned: Delivery = { _tag: 'Poisoned', reason: 'too large' }

export const eventsIn = async ({ log }: Pick<Store, 'log'>): Promise<readonly DomainEvent[]> =>
  (await succeed(log.read({ after: 0, limit: 1_000 }))).events

export const pendingIn = async (store: Pick<Store, 'log' | 'relay'>): Promise<readonly DomainEvent[]> => {
  const record = await succeed(store.relay.load)
  if (O.isNone(record)) return []
  const { position, retry } = record.value
  return (await eventsIn(store))
    .map((one) => ({ one, number: eventNumber(one) }))
    .flatMap(({ one, number }) => (number > position || retry.includes(number) ? [one] : []))
}

/** Saves a relay record that has passed `position`, with these events still to be sent again and these parked. */
export const saveRelay = async (
  { relay }: Pick<Store, 'relay'>,
  position: number,
  retry: readonly number[] = [],
  parked: RelayRecord['parked'] = [],
): Promise<void> => {
  const stored = await succeed(relay.load)
  const record: RelayRecord = {
    position,
    retry,
    parked,
    hasSent: position > 0,
    leaseMs: 10_000,
    version: (O.isSome(stored) ? stored.value.version : 0) + 1,
  }
  if (!(await succeed(relay.save(record)))) throw new Error('the record was saved by another')
}

/** A store with one event for each time, numbered from 1. */
export const holding = async (...times: readonly number[]): Promise<Store> => {
  const store = makeMemoryStore()
  for (const [at, time] of times.entries()) await succeed(store.pets.add(recordOf({ ...event(at + 1), time })))
  return store
}
