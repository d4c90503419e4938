import type { DomainEvent } from '../../domain/events/domain-event.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'

/** Acknowledges an event by returning. If it throws or rejects, the relay delivers the event again later. */
export type Subscriber = (event: DomainEvent) => void | Promise<void>

/**
 * Delivers each event to all subscribers in turn. If one throws or rejects, the delivery is `Failed`.
 *
 * @example
 * const names: string[] = []
 * const publisher = makeInProcessPublisher([({ pet }) => void names.push(pet.name)])
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * await publisher.publish([{ _tag: 'PetCreated', eventId: 'e1', time: 0, pet }])()
 * names // => ['Rex']
 */
export const makeInProcessPublisher = (subscribers: readonly Subscriber[]): EventPublisher => {
  const deliver = async (event: DomainEvent): Promise<Delivery> => {
    try {
      for (const subscriber of subscribers) await subscriber(event)
      return { _tag: 'Delivered' }
    } catch (error) {
      return { _tag: 'Failed', reason: String(error) }
    }
  }

  return {
    publish: (events) => async () => {
      const deliveries: Delivery[] = []
      for (const event of events) deliveries.push(await deliver(event))
      return deliveries
    },
  }
}
