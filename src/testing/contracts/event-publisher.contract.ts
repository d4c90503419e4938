// The contract of an event publisher.
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/int64.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { EventPublisher } from '../../ports/event-publisher.js'

/** @since 1.0.0 @category Contract suites */
export interface EventPublisherHarness {
  readonly publisher: EventPublisher
  /** All events that the receiver has stored, in its order. */
  readonly received: () => Promise<readonly DomainEvent[]>
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

/**
 * The vitest suite; `make` opens a publisher for each test, and reads what its receiver got.
 *
 * @since 1.0.0 @category Contract suites
 * @example
 * eventPublisherContract('mine', async () => {
 *   const events: DomainEvent[] = []
 *   const publisher = makeInProcessPublisher([(event) => void events.push(event)])
 *   return { publisher, received: async () => events, close: async () => {} }
 * })
 */
export const eventPublisherContract = (name: string, make: () => Promise<EventPublisherHarness>): void => {
  describe(`EventPublisher: ${name}`, () => {
    const fresh = async (): Promise<EventPublisherHarness> => {
      const harness = await make()
      onTestFinished(() => harness.close())
      return harness
    }

    it('delivers events exactly and in order', async () => {
      const { publisher, received } = await fresh()
      expect(await publisher.publish(events)()).toStrictEqual([{ _tag: 'Delivered' }, { _tag: 'Delivered' }])
      expect(await received()).toStrictEqual(events)
    })

    it('delivers nothing if there are no events', async () => {
      const { publisher, received } = await fresh()
      expect(await publisher.publish([])()).toStrictEqual([])
      expect(await received()).toStrictEqual([])
    })
  })
}
