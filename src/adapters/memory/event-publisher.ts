import type { DomainEvent } from '../../domain/events/domain-event.js'
import type { Delivery, EventPublisher, PoisonedDelivery } from '../../ports/event-publisher.js'

/**
 * Acknowledges an event by returning. If it throws or rejects, the relay delivers the event again later. If it returns
 * `Poisoned`, it never accepts this event: once the other subscribers have it, the relay parks it.
 */
export type Subscriber =
  | ((event: DomainEvent) => void | Promise<void>)
  | ((event: DomainEvent) => PoisonedDelivery | undefined | Promise<PoisonedDelivery | undefined>)

const isPoisoned = (answer: unknown): answer is PoisonedDelivery =>
  typeof answer === 'object' && answer !== null && '_tag' in answer && answer._tag === 'Poisoned'

/**
 * Delivers each event to all subscribers in turn. Stops at the first event for which one throws or rejects, so that none
 * gets a later event first.
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
    let poisoned: PoisonedDelivery | undefined
    try {
      for (const subscriber of subscribers) {
        const answer = await subscriber(event)
        if (isPoisoned(answer)) poisoned ??= answer
      }
      return poisoned ?? { _tag: 'Delivered' }
    } catch (error) {
      return { _tag: 'Failed', reason: String(error) }
    }
  }

  return {
    publish: (events) => async () => {
      const deliveries: Delivery[] = []
      for (const event of events) {
        const delivery = await deliver(event)
        deliveries.push(delivery)
        if (delivery._tag === 'Failed') break
      }
      return deliveries
    },
  }
}
