// The contract of an event publisher.
import { describe, expect, it, vi } from 'vitest'
import { DurationMs, MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import { opened } from './store.contract.js'

export interface EventPublisherHarness {
  readonly publisher: EventPublisher
  /** All events that the receiver has stored, in its order. */
  readonly received: () => Promise<readonly DomainEvent[]>
  /** From now on the receiver cannot store anything. */
  readonly interrupt: () => Promise<void>
  /** From now on it can again. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

const events: readonly DomainEvent[] = [
  {
    _tag: 'PetCreated',
    eventId: '8a2e9c9b-3c0e-4c59-9b74-52aa1e7ed2f1',
    time: 0,
    pet: { id: 1n, name: ' \0"\u{1f436}', categoryId: MIN_INT64 },
  },
  {
    _tag: 'PetCreated',
    eventId: '27f9c9ed-9f4f-4b6f-a4d5-6b3b7f1d1c11',
    time: 1_795_219_200_123,
    pet: { id: MAX_PET_ID, name: 'x', categoryId: MAX_INT64, status: 'sold' },
  },
]

const RECOVERY_MS = 20_000

/** Publishes all of them, as a relay does if the publisher stops early. */
const publishAll = async ({ publish }: EventPublisher): Promise<readonly Delivery[]> => {
  const deliveries: Delivery[] = []
  while (deliveries.length < events.length) {
    const some = await publish(events.slice(deliveries.length))()
    expect(some.length).toBeGreaterThan(0)
    deliveries.push(...some)
  }
  return deliveries
}

/** The vitest suite; `make` opens a publisher for each test, and reads what its receiver got. */
export const eventPublisherContract = (name: string, make: () => Promise<EventPublisherHarness>): void => {
  describe(`EventPublisher: ${name}`, () => {
    it('delivers events exactly and in order', async () => {
      const { publisher, received } = await opened(make)
      expect(await publishAll(publisher)).toStrictEqual([{ _tag: 'Delivered' }, { _tag: 'Delivered' }])
      expect(await received()).toStrictEqual(events)
    })

    it('delivers nothing if there are no events', async () => {
      const { publisher, received } = await opened(make)
      expect(await publisher.publish([])()).toStrictEqual([])
      expect(await received()).toStrictEqual([])
    })

    it('fails what its receiver cannot store, and delivers it afterwards', { timeout: 2 * RECOVERY_MS }, async () => {
      const { publisher, received, interrupt, restore } = await opened(make)
      await interrupt()
      const deliveries = await publisher.publish(events)()
      expect([1, 2]).toContain(deliveries.length)
      for (const delivery of deliveries) {
        expect(delivery).toMatchObject({ _tag: 'Failed', reason: expect.stringMatching(/./) as unknown })
        const { wait = 0 } = delivery._tag === 'Failed' ? delivery : {}
        expect(wait === 'longest' || DurationMs.is(wait)).toBe(true)
      }
      expect(await received()).toStrictEqual([])
      await restore()
      const isDelivered = async () => {
        for (const delivery of await publishAll(publisher)) expect(delivery).toStrictEqual({ _tag: 'Delivered' })
      }
      await vi.waitFor(isDelivered, { timeout: RECOVERY_MS, interval: 50 })
      // a try may have been delivered in part
      const ids = (await received()).map(({ eventId }) => eventId)
      expect([...new Set(ids)]).toStrictEqual(events.map(({ eventId }) => eventId))
    })
  })
}
