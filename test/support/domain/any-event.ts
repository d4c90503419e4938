// Events of pets, and the records that stores keep of them, for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { PetCreated } from '../../../src/domain/events/pet-created.js'
import type { PetRecord } from '../../../src/ports/pet-repository.js'

export const anyEvent = (id: number | bigint, changes: Partial<PetCreated> = {}): PetCreated => ({
  _tag: 'PetCreated',
  eventId: `event-${id}`,
  time: 0,
  pet: { id: BigInt(id), name: 'Rex', categoryId: 1n },
  ...changes,
})

/** The record of such an event, as a store adds it. */
export const anyRecord = (
  id: number | bigint,
  changes: Partial<PetCreated> = {},
  idempotencyKey: PetRecord['idempotencyKey'] = O.none,
): PetRecord => ({ event: anyEvent(id, changes), idempotencyKey })
