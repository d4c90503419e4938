// Helpers to run tasks of ports, and sample pets, records and API keys, for the suites and for tests.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ApiKey } from '../domain/api-keys/api-key.js'
import type { PetCreated } from '../domain/events/domain-event.js'
import type { Added, HeldIdempotencyKey, PetRecord } from '../domain/pets/decide-add.js'
import { type NewPet, type Pet, petFrom } from '../domain/pets/pet.js'
import { ALL_PETS, type PetQuery } from '../domain/pets/pet-query.js'
import type { PetRepository } from '../ports/pet-repository.js'

/** The value of a success; throws a failure, so that the test shows it. */
export const succeed = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error('expected a success', { cause: result.left })
  return result.right
}

/** The failure; throws a success. */
export const fail = async <F>(task: TaskEither<F, unknown>): Promise<F> => {
  const result = await task()
  if (E.isRight(result)) throw new Error('expected a failure', { cause: result.right })
  return result.left
}

/** Times are near now: a store may remove idempotency keys by its own clock. */
export const NOW = Date.now()

export const anyPet: NewPet = { name: 'Rex', categoryId: 7n }
/** A new member does not compile until it is here, so that every suite stores and reads it. */
export const fullPet: Required<NewPet> = { name: 'Full', categoryId: -1n, status: 'pending' }
export const everything: PetQuery = { ...ALL_PETS, limit: 20, before: O.none }

export const numbered = (id: number | bigint, newPet: NewPet = anyPet): Pet => petFrom(BigInt(id), newPet)

/** The event of a pet, with an id derived from the pet's. */
export const eventOf = (pet: Pet, changes: Partial<PetCreated> = {}): PetCreated => ({
  _tag: 'PetCreated',
  eventId: `event-${pet.id}`,
  time: NOW,
  pet,
  ...changes,
})

/** The event of a full pet, at a time with milliseconds, to detect stores that round to seconds. */
export const event = (id: number | bigint, newPet: NewPet = { ...fullPet, name: `pet ${id}` }): PetCreated =>
  eventOf(numbered(id, newPet), {
    time: NOW + (Number(id) % 1_000) * 999,
    // only some requests belong to a trace
    ...(Number(id) % 2 === 1 && { traceparent: `00-${String(id).padStart(32, 'a')}-00f067aa0ba902b7-01` }),
  })

export const held = (lineage: string, key: string, expiresAt = NOW + 2_000): O.Option<HeldIdempotencyKey> =>
  O.some({ lineage, key, expiresAt })

export const recordOf = (event: PetCreated, idempotencyKey: O.Option<HeldIdempotencyKey> = O.none): PetRecord => ({
  event,
  idempotencyKey,
})

/** The event id is unique, because adapters use it to recognise a record that they have already begun to add. */
export const record = (pet: Pet, idempotencyKey?: O.Option<HeldIdempotencyKey>, time = NOW + 1_000): PetRecord =>
  recordOf(eventOf(pet, { eventId: crypto.randomUUID(), time }), idempotencyKey)

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

export const idsOf = async (pets: PetRepository, query: Partial<PetQuery>): Promise<readonly number[]> =>
  (await succeed(pets.findPage({ ...everything, ...query }))).pets.map(({ id }) => Number(id))

export const added = (id: number | bigint): Added => ({ _tag: 'Added', id: BigInt(id) })

/** Adds the pets by ascending id, because a store may assign another id to a pet whose id is below an earlier one. */
export const addAll = async (pets: PetRepository, added: readonly Pet[]): Promise<PetRepository> => {
  for (const pet of added.toSorted((one, other) => (one.id < other.id ? -1 : 1))) await succeed(pets.add(record(pet)))
  return pets
}

export const anyApiKey: ApiKey = {
  id: 'aaaaaaaaaaa',
  name: O.none,
  scopes: ['pets:read'],
  hash: '0'.repeat(64),
  createdAt: 5_000,
  expiresAt: O.none,
  revokedAt: O.none,
  lastUsedAt: O.none,
  successor: O.none,
  lineage: 'aaaaaaaaaaa',
}

/** Another key, whose id consists of this character. */
export const apiKeyOf = (character: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  ...anyApiKey,
  id: character.repeat(11),
  ...changes,
})

/** An older key, with every member. */
export const fullApiKey: ApiKey = apiKeyOf('b', {
  name: O.some('a "name" \u{1f436}'),
  scopes: ['orders:read', 'pets:write', 'pets:read'],
  hash: 'f'.repeat(64),
  createdAt: 4_000,
  expiresAt: O.some(253_402_300_799_999),
  revokedAt: O.some(6_000),
  lastUsedAt: O.some(0),
  successor: O.some('aaaaaaaaaaa'),
  lineage: 'ccccccccccc',
})
