// The contracts of the ports of a relay: its record, and the publisher of events.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, vi } from 'vitest'
import { DurationMs, MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord, unusedAfter } from '../../domain/events/relay-record.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { RelayState } from '../../ports/event-log.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import { relayRecord } from '../arbitraries.js'
import { eventOf, numbered, range, succeed } from '../samples.js'
import { opened } from './store.contract.js'

export interface RelayStateHarness {
  /** Two ports over one empty storage; or the same port twice if only one process can use it. */
  readonly relays: readonly [RelayState, RelayState]
  readonly close: () => Promise<void>
}

const record = (version: number, changes: Partial<RelayRecord> = {}): RelayRecord => ({
  ...unusedAfter(0),
  version,
  ...changes,
})

/** The vitest suite; `make` opens an empty storage for each test. */
export const relayStateContract = (name: string, make: () => Promise<RelayStateHarness>): void => {
  describe(`RelayState: ${name}`, () => {
    const fresh = async (): Promise<RelayStateHarness['relays']> => (await opened(make)).relays

    it('has no record at first, saves the first version once, and then only the next one', async () => {
      const [one, other] = await fresh()
      for (const relay of [one, other]) expect(await succeed(relay.load)).toStrictEqual(O.none)
      expect(await succeed(one.save(record(2)))).toBe(false)
      expect(await succeed(one.save(record(1, { holder: 'one' })))).toBe(true)
      expect(await succeed(other.save(record(1, { holder: 'other' })))).toBe(false)
      expect(await succeed(other.load)).toStrictEqual(O.some(record(1, { holder: 'one' })))
      expect(await succeed(other.save(record(2, { hasSent: true })))).toBe(true)
      for (const stale of [1, 2, 4]) expect(await succeed(one.save(record(stale, { holder: 'one' })))).toBe(false)
      expect(await succeed(one.load)).toStrictEqual(O.some(record(2, { hasSent: true })))
    })

    it('lets one of many concurrent saves of a version through', async () => {
      const relays = await fresh()
      for (const version of [1, 2, 3]) {
        const holders = range(1, 10).map((turn) => `relay ${turn}`)
        const areSaved = await Promise.all(
          holders.map((holder, turn) => succeed(relays[turn % 2 === 0 ? 0 : 1].save(record(version, { holder })))),
        )
        const saved = holders.filter((_, turn) => areSaved[turn])
        expect(saved).toHaveLength(1)
        expect(await succeed(relays[0].load)).toStrictEqual(O.some(record(version, { holder: saved[0] ?? '' })))
      }
    })

    it('returns any record exactly as it was saved, and the largest one', async () => {
      const [one, other] = await fresh()
      const largest = record(1, {
        position: Number.MAX_SAFE_INTEGER,
        retry: range(1, MAX_PARKED).map((at) => Number.MAX_SAFE_INTEGER - MAX_PARKED + at),
        parked: range(1, MAX_PARKED).map((number) => ({ number, reason: '\u{20ac}'.repeat(MAX_REASON_LENGTH) })),
        attempts: { number: Number.MAX_SAFE_INTEGER, count: 4 },
        holder: 'relay',
      })
      let version = 0
      const check = async (any: RelayRecord): Promise<void> => {
        version += 1
        const saved = { ...any, version }
        expect(await succeed(one.save(saved))).toBe(true)
        expect(await succeed(other.load)).toStrictEqual(O.some(saved))
      }
      await fc.assert(fc.asyncProperty(relayRecord(), check), { numRuns: 20, examples: [[largest]] })
    })
  })
}

export interface EventPublisherHarness {
  readonly publisher: EventPublisher
  /** All events that the receiver has stored, in order of receipt. */
  readonly received: () => Promise<readonly DomainEvent[]>
  /** From now on the receiver cannot store anything. */
  readonly interrupt: () => Promise<void>
  /** From now on the receiver can store events again. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

const events: readonly DomainEvent[] = [
  eventOf(numbered(1, { name: ' \0"\u{1f436}', categoryId: MIN_INT64 })),
  eventOf(numbered(MAX_PET_ID, { name: 'x', categoryId: MAX_INT64, status: 'sold' }), { time: 1_795_219_200_123 }),
]

const DELIVERED = events.map(() => ({ _tag: 'Delivered' }))

const RECOVERY_MS = 20_000

/** Publishes all events, calling again if the publisher stops early, as a relay does. */
const publishAll = async ({ publish }: EventPublisher): Promise<readonly Delivery[]> => {
  const deliveries: Delivery[] = []
  while (deliveries.length < events.length) {
    const some = await publish(events.slice(deliveries.length))()
    expect(some.length).toBeGreaterThan(0)
    deliveries.push(...some)
  }
  return deliveries
}

/** The vitest suite; `make` opens a publisher, with a receiver that can be read, for each test. */
export const eventPublisherContract = (name: string, make: () => Promise<EventPublisherHarness>): void => {
  describe(`EventPublisher: ${name}`, () => {
    it('delivers events exactly and in order, and nothing if there are no events', async () => {
      const { publisher, received } = await opened(make)
      expect(await publisher.publish([])()).toStrictEqual([])
      expect(await received()).toStrictEqual([])
      expect(await publishAll(publisher)).toStrictEqual(DELIVERED)
      expect(await received()).toStrictEqual(events)
    })

    it('fails what its receiver cannot store, and delivers it afterwards', { timeout: 2 * RECOVERY_MS }, async () => {
      const { publisher, received, interrupt, restore } = await opened(make)
      await interrupt()
      const deliveries = await publisher.publish(events)()
      expect([1, 2]).toContain(deliveries.length)
      for (const delivery of deliveries) {
        expect(delivery).toMatchObject({ _tag: 'Failed', reason: expect.stringMatching(/./) as unknown })
        expect(DurationMs.is(delivery._tag === 'Failed' ? (delivery.wait ?? 0) : 0)).toBe(true)
      }
      expect(await received()).toStrictEqual([])
      await restore()
      const isDelivered = async () => expect(await publishAll(publisher)).toStrictEqual(DELIVERED)
      await vi.waitFor(isDelivered, { timeout: RECOVERY_MS, interval: 50 })
      // duplicates are allowed, because a failed attempt may have been delivered in part
      const ids = (await received()).map(({ eventId }) => eventId)
      expect([...new Set(ids)]).toStrictEqual(events.map(({ eventId }) => eventId))
    })
  })
}
