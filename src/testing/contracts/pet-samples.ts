// Pets, their events and records, for the suites and for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { PetCreated } from '../../domain/events/domain-event.js'
import type { HeldIdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import { type NewPet, type Pet, petFrom } from '../../domain/pets/pet.js'
import { ALL_PETS, type PetQuery } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'

export const anyPet: NewPet = { name: 'Rex', categoryId: 7n }
/** A new member does not compile until it is here; then every suite stores and reads it. */
export const fullPet: Required<NewPet> = { name: 'Full', categoryId: -1n, status: 'pending' }
export const everything: PetQuery = { ...ALL_PETS, limit: 20, before: O.none }

export const numbered = (id: number | bigint, newPet: NewPet = anyPet): Pet => petFrom(BigInt(id), newPet)

/** The event of a pet, with an id that is made from the pet's. */
export const eventOf = (pet: Pet, changes: Partial<PetCreated> = {}): PetCreated => ({
  _tag: 'PetCreated',
  eventId: `event-${pet.id}`,
  time: 0,
  pet,
  ...changes,
})

/** An idempotency key that a record holds. */
export const held = (lineage: string, key: string, expiresAt = 2_000): O.Option<HeldIdempotencyKey> =>
  O.some({ lineage, key, expiresAt })

export const recordOf = (event: PetCreated, idempotencyKey: O.Option<HeldIdempotencyKey> = O.none): PetRecord => ({
  event,
  idempotencyKey,
})

// every event id is unique, because adapters recognise a record that they have begun to add by its event id
let made = 0
export const record = (pet: Pet, idempotencyKey?: O.Option<HeldIdempotencyKey>, time = 1_000): PetRecord => {
  made += 1
  return recordOf(eventOf(pet, { eventId: `event-${made}`, time }), idempotencyKey)
}

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** The ids of a page, in its order. */
export const idsOf = async (pets: PetRepository, query: Partial<PetQuery>): Promise<readonly number[]> =>
  (await succeed(pets.findPage({ ...everything, ...query }))).pets.map(({ id }) => Number(id))

/** Adds the pets, one after the other: in the order of their ids, because a store may refuse an id below an earlier one. */
export const addAll = async (pets: PetRepository, added: readonly Pet[]): Promise<PetRepository> => {
  for (const pet of added.toSorted((one, other) => (one.id < other.id ? -1 : 1))) await succeed(pets.add(record(pet)))
  return pets
}
