// Pets in maps, each added with its event and its idempotency key. A filter scans all pets: for tests and demos.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../domain/errors.js'
import type { PetCreated } from '../../domain/events/domain-event.js'
import {
  type Added,
  decideAdd,
  type Hold,
  heldAt,
  type IdempotencyKey,
  type PetRecord,
} from '../../domain/pets/decide-add.js'
import type { Pet } from '../../domain/pets/pet.js'
import { matchesFilter, type PetPage, type PetQuery, pageOf } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { OfStorage } from '../../ports/storage.js'

/** The records that the ports of one store share. */
export interface PetRecords extends OfStorage {
  /** Keyed by number, since ids are at most 2^53-1: a bigint key is ten times slower. */
  readonly events: Map<number, PetCreated>
  /** Every pet, by ascending id. */
  readonly all: Pet[]
  lastDrawn: bigint
}

export const makePetRecords = (lastDrawn = 0n): PetRecords => ({
  storage: Symbol('memory'),
  events: new Map(),
  all: [],
  lastDrawn,
})

/** The greatest id; 0 if there is no pet. */
export const lastIdIn = ({ all }: Pick<PetRecords, 'all'>): bigint => all.at(-1)?.id ?? 0n

/** The number of pets with an id up to this one. Finds it by bisection, because pets are in order of their ids. */
export const countUpTo = (id: bigint, { all }: Pick<PetRecords, 'all'>): number => {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const pet = all[middle]
    if (pet !== undefined && pet.id <= id) low = middle + 1
    else high = middle
  }
  return low
}

interface Holder extends Hold {
  readonly pet: Pet
}

const slotOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

export const makeMemoryPetRepository = (records: PetRecords): PetRepository => {
  const { all, events } = records
  // like the pets, keys stay until the process ends
  const held = new Map<string, Holder>()

  const holderOf = (key: IdempotencyKey): O.Option<Holder> => O.fromNullable(held.get(slotOf(key)))

  const add = (record: PetRecord): E.Either<Unavailable, Added> => {
    const { idempotencyKey } = record
    const holder = O.isNone(idempotencyKey) ? O.none : holderOf(idempotencyKey.value)
    const decision = decideAdd(record, { lastId: lastIdIn(records), holder })
    if (E.isLeft(decision)) return decision
    if (decision.right._tag === 'KeyTaken') return E.right({ _tag: 'KeyTaken', by: decision.right.by.pet })
    const { event } = decision.right
    const { pet } = event
    if (O.isSome(idempotencyKey))
      held.set(slotOf(idempotencyKey.value), { pet, expiresAt: idempotencyKey.value.expiresAt })
    events.set(Number(pet.id), event)
    all.push(pet)
    return E.right({ _tag: 'Added', id: pet.id })
  }

  const findPage = (query: PetQuery): PetPage => {
    const { before, limit } = query
    const matches = matchesFilter(query)
    const found: Pet[] = []
    const end = O.isNone(before) ? all.length : countUpTo(before.value - 1n, records)
    for (let at = end - 1; at >= 0 && found.length <= limit; at -= 1) {
      const pet = all[at]
      if (pet !== undefined && matches(pet)) found.push(pet)
    }
    return pageOf(found, limit)
  }

  return {
    storage: records.storage,
    add: (record) => () => Promise.resolve(add(record)),
    findByIdempotencyKey: (key, at) => TE.fromIO(() => O.map(({ pet }: Holder) => pet)(heldAt(holderOf(key), at))),
    findById: (id) => TE.fromIO(() => O.fromNullable(events.get(Number(id))?.pet)),
    findPage: (query) => TE.fromIO(() => findPage(query)),
    count: (filter) => TE.fromIO(() => all.filter(matchesFilter(filter)).length),
  }
}
