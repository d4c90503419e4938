// Pets and records for the pet repository suites.
import * as O from 'fp-ts/lib/Option.js'
import { type NewPet, type Pet, petFrom } from '../../domain/pets/pet.js'
import { ALL_PETS, type PetQuery } from '../../domain/pets/pet-query.js'
import type { HeldIdempotencyKey, PetRecord, PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'

export const anyPet: NewPet = { name: 'Rex', categoryId: 7n }
export const everything: PetQuery = { ...ALL_PETS, limit: 20, before: O.none }

// every event id is unique, because adapters recognise a record that they have begun to add by its event id
let made = 0
export const record = (pet: Pet, idempotencyKey: O.Option<HeldIdempotencyKey> = O.none, time = 1_000): PetRecord => {
  made += 1
  return { event: { _tag: 'PetCreated', eventId: `event-${made}`, time, pet }, idempotencyKey }
}
export const numbered = (id: number | bigint, newPet: NewPet = anyPet): Pet => petFrom(BigInt(id), newPet)
export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** The ids of a page, in its order. */
export const idsOf = async (pets: PetRepository, query: Partial<PetQuery>): Promise<readonly number[]> =>
  (await succeed(pets.findPage({ ...everything, ...query }))).pets.map(({ id }) => Number(id))

/** Adds the pets, one after the other. */
export const addAll = async (pets: PetRepository, added: readonly Pet[]): Promise<PetRepository> => {
  for (const pet of added) await succeed(pets.add(record(pet)))
  return pets
}
