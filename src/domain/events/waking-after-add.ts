// Tells a reader of the log that it has grown, so that it need not wait for its next poll.
import type { PetRepository } from '../../ports/pet-repository.js'

/**
 * Decorates the repository so that each add wakes a reader of the log, such as a relay.
 *
 * @example
 * const { pets } = makeMemoryStore()
 * let woken = 0
 * const waking = wakingAfterAdd(pets, () => { woken += 1 })
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * await waking.add({ event: { _tag: 'PetCreated', eventId: 'e1', time: 0, pet }, idempotencyKey: O.none })()
 * woken // => 1
 */
export const wakingAfterAdd = (pets: PetRepository, wake: () => void): PetRepository => ({
  ...pets,
  add: (record) => async () => {
    const outcome = await pets.add(record)()
    wake()
    return outcome
  },
})
