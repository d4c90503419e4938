// Events for subscribers within the process.
import type { PetCreated } from '../../domain/pet-created.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'

/** Acknowledges an event by returning; a throw or a rejection has the event come again. */
export type Subscriber = (event: PetCreated) => void | Promise<void>

/**
 * Hands each event to all subscribers in turn; a throw or a rejection of one is `Failed`.
 *
 * @example
 * const names: string[] = []
 * const publisher = makeInProcessPublisher([({ pet }) => void names.push(pet.name)])
 * await publisher.publish([{ eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }])()
 * names // => ['Rex']
 */
export const makeInProcessPublisher = (subscribers: readonly Subscriber[]): EventPublisher => {
  const deliver = async (event: PetCreated): Promise<Delivery> => {
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
