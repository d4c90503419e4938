// Pets in the embedded store, each committed together with its event, its index entry and its idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../../domain/codecs/instant.js'
import { unavailable } from '../../domain/errors.js'
import { type Added, decideAdd, heldAt, type IdempotencyKey, type PetRecord } from '../../domain/pets/decide-add.js'
import type { Pet } from '../../domain/pets/pet.js'
import {
  findNamed,
  type PetFilter,
  type PetPage,
  type PetQuery,
  pageOf,
  remainingFilter,
} from '../../domain/pets/pet-query.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { Environment, WriteResult } from './environment/environment.js'
import { findStoredKey, putStoredKey, type StoredIdempotencyKey } from './tables/idempotency-key-table.js'
import { highestStoredId } from './tables/meta-table.js'
import { isKey, makePetReader, putPet } from './tables/pet-table.js'
import { entryCount, type Tables } from './tables/tables.js'

const refused = (reason: string): WriteResult<never> => E.left(unavailable(new Error(reason)))

export const makeLmdbPetRepository = (environment: Environment, reportDamage: ReportDamage): PetRepository => {
  const { read, find, damaged } = makePetReader(reportDamage)
  const findById = (tables: Tables, id: bigint): O.Option<Pet> => (isKey(id) ? find(tables, Number(id)) : O.none)

  /** The pet that holds a key, or the reason why it cannot be read. */
  const petOf = (tables: Tables, { petId }: StoredIdempotencyKey): E.Either<string, Pet> =>
    E.fromOption(() => `pet ${petId}, which holds the idempotency key, cannot be read`)(read(tables, petId))

  const findByIdempotencyKey = (tables: Tables, key: IdempotencyKey, at: Instant): O.Option<Pet> => {
    const pet = pipe(
      findStoredKey(tables, key),
      E.flatMap((stored) =>
        O.traverse(E.Applicative)((held: StoredIdempotencyKey) => petOf(tables, held))(heldAt(stored, at)),
      ),
    )
    // the environment reports it as Unavailable
    if (E.isLeft(pet)) throw new Error(pet.left)
    return pet.right
  }

  const add = (tables: Tables, record: PetRecord): WriteResult<Added> => {
    const { idempotencyKey } = record
    const stored = O.isNone(idempotencyKey) ? E.right(O.none) : findStoredKey(tables, idempotencyKey.value)
    if (E.isLeft(stored)) return refused(stored.left)
    const decision = decideAdd(record, { lastId: highestStoredId(tables), holder: stored.right })
    if (E.isLeft(decision)) return decision
    if (decision.right._tag === 'KeyTaken') {
      const by = petOf(tables, decision.right.by)
      return E.isLeft(by) ? refused(by.left) : E.right({ _tag: 'KeyTaken', by: by.right })
    }
    const { event } = decision.right
    const { id } = event.pet
    if (O.isSome(idempotencyKey)) {
      putStoredKey(tables, idempotencyKey.value, { petId: id, eventId: event.eventId }, stored.right, event.time)
    }
    putPet(tables, event)
    return E.right({ _tag: 'Added', id })
  }

  const named = (tables: Tables, query: Omit<PetQuery, 'limit'>, ids: readonly bigint[]): readonly Pet[] =>
    findNamed((id) => findById(tables, id), query, ids)

  const indexOf = (tables: Tables, { status }: PetFilter) =>
    O.isSome(status) ? tables.byStatus[status.value] : tables.pets

  const newest = (tables: Tables, query: Omit<PetQuery, 'limit'>, count: number): readonly Pet[] => {
    const remaining = remainingFilter(query, 'status')
    const start = O.isSome(query.before) ? { start: Number(query.before.value - 1n) } : {}
    const found: Pet[] = []
    for (const id of indexOf(tables, query).getKeys({ reverse: true, ...start })) {
      const pet = find(tables, id)
      if (O.isSome(pet) && (O.isNone(remaining) || remaining.value(pet.value))) found.push(pet.value)
      if (found.length === count) break
    }
    return found
  }

  const findPage = (tables: Tables, query: PetQuery): PetPage => {
    const { ids, limit } = query
    return pageOf(O.isSome(ids) ? named(tables, query, ids.value) : newest(tables, query, limit + 1), limit)
  }

  const count = (tables: Tables, filter: PetFilter): number => {
    const all = { ...filter, before: O.none }
    if (O.isSome(filter.ids)) return named(tables, all, filter.ids.value).length
    if (O.isNone(remainingFilter(filter, 'status'))) {
      const index = indexOf(tables, filter)
      return entryCount(index) - [...damaged].filter((id) => index.doesExist(id)).length
    }
    return newest(tables, all, Number.POSITIVE_INFINITY).length
  }

  return {
    storage: environment.storage,
    add: (record) => environment.write((tables) => add(tables, record)),
    findByIdempotencyKey: (key, at) => environment.read((tables) => findByIdempotencyKey(tables, key, at)),
    findById: (id) => environment.read((tables) => findById(tables, id)),
    findPage: (query) => environment.read((tables) => findPage(tables, query)),
    count: (filter) => environment.read((tables) => count(tables, filter)),
  }
}
