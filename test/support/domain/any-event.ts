// Events of pets for tests.
import type { PetCreated } from '../../../src/domain/events/pet-created.js'

export const anyEvent = (id: number | bigint, eventId = `event-${id}`): PetCreated => ({
  _tag: 'PetCreated',
  eventId,
  time: 0,
  pet: { id: BigInt(id), name: 'Rex', categoryId: 1n },
})
