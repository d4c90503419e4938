// Pets in maps, each added together with its event and its idempotency key, and ordered by id: a page takes one binary search and a
// slice.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../domain/errors.js'
import type { PetCreated } from '../../domain/events/domain-event.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../domain/pets/add-pet.js'
import {
  type Added,
  decideAdd,
  type Hold,
  heldAt,
  type IdempotencyKey,
  type PetRecord,
} from '../../domain/pets/decide-add.js'
import { PET_STATUSES, type Pet, type PetStatus } from '../../domain/pets/pet.js'
import {
  findNamed,
  type PetFilter,
  type PetPage,
  type PetQuery,
  pageOf,
  remainingFilter,
} from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { OfStorage } from '../../ports/storage.js'

interface PetIndex {
  /** Adds a pet with a greater id than all others. */
  readonly add: (pet: Pet) => void
  /** The newest pets with a smaller id than `before`, by id descending. */
  readonly newest: (count: number, before: O.Option<bigint>) => readonly Pet[]
  /** The oldest pets with a greater id than `after`, by id ascending. */
  readonly oldest: (count: number, after: bigint) => readonly Pet[]
  /** The greatest id; 0 if there is no pet. */
  readonly lastId: () => bigint
  readonly size: () => number
}

const makePetIndex = (): PetIndex => {
  const ascending: Pet[] = []

  /** Number of pets with a smaller id. */
  const rank = (id: bigint): number => {
    let low = 0
    let high = ascending.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const pet = ascending[middle]
      if (pet !== undefined && pet.id < id) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add: (pet) => void ascending.push(pet),
    newest: (count, before) => {
      const end = O.isSome(before) ? rank(before.value) : ascending.length
      return ascending.slice(Math.max(0, end - count), end).reverse()
    },
    oldest: (count, after) => {
      const start = rank(after + 1n)
      return ascending.slice(start, start + count)
    },
    lastId: () => ascending.at(-1)?.id ?? 0n,
    size: () => ascending.length,
  }
}

/** The records that the ports of one store share. */
export interface PetRecords extends OfStorage {
  /** Keyed by number, since ids are at most 2^53-1: a bigint key is ten times slower. */
  readonly events: Map<number, PetCreated>
  readonly all: PetIndex
  lastDrawn: bigint
}

export const makePetRecords = (lastDrawn = 0n): PetRecords => ({
  storage: Symbol('memory'),
  events: new Map(),
  all: makePetIndex(),
  lastDrawn,
})

interface Holder extends Hold {
  readonly pet: Pet
}

const slotOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

export const makeMemoryPetRepository = (records: PetRecords): PetRepository => {
  const { all, events } = records
  const byStatus = new Map<PetStatus, PetIndex>(PET_STATUSES.map((status) => [status, makePetIndex()]))
  // in order of expiry, because all keys live equally long: expired ones come first
  const held = new Map<string, Holder>()

  const forgetExpired = (now: number): void => {
    for (const [slot, { expiresAt }] of held) {
      if (expiresAt + KEPT_AFTER_EXPIRY_MS > now) return
      held.delete(slot)
    }
  }

  const holderOf = (key: IdempotencyKey): O.Option<Holder> => O.fromNullable(held.get(slotOf(key)))

  const add = (record: PetRecord): E.Either<Unavailable, Added> => {
    const { idempotencyKey } = record
    forgetExpired(record.event.time)
    const holder = O.isNone(idempotencyKey) ? O.none : holderOf(idempotencyKey.value)
    const decision = decideAdd(record, { lastId: all.lastId(), holder })
    if (E.isLeft(decision)) return decision
    if (decision.right._tag === 'KeyTaken') return E.right({ _tag: 'KeyTaken', by: decision.right.by.pet })
    const { event } = decision.right
    const { pet } = event
    if (O.isSome(idempotencyKey)) {
      const slot = slotOf(idempotencyKey.value)
      held.delete(slot)
      held.set(slot, { pet, expiresAt: idempotencyKey.value.expiresAt })
    }
    events.set(Number(pet.id), event)
    all.add(pet)
    if (pet.status !== undefined) byStatus.get(pet.status)?.add(pet)
    return E.right({ _tag: 'Added', id: pet.id })
  }

  const find = (id: bigint): O.Option<Pet> => O.fromNullable(events.get(Number(id))?.pet)

  const indexOf = (status: O.Option<PetStatus>): PetIndex =>
    (O.isSome(status) ? byStatus.get(status.value) : undefined) ?? all

  const newest = (query: PetQuery, count: number): readonly Pet[] => {
    const { ids, before, status } = query
    if (O.isSome(ids)) return findNamed(find, query, ids.value)
    const index = indexOf(status)
    const remaining = remainingFilter(query, 'status')
    if (O.isNone(remaining)) return index.newest(count, before)
    return index.newest(index.size(), before).filter(remaining.value).slice(0, count)
  }

  const findPage = (query: PetQuery): PetPage => pageOf(newest(query, query.limit + 1), query.limit)

  const count = (filter: PetFilter): number => {
    if (O.isSome(filter.ids)) return findNamed(find, { ...filter, before: O.none }, filter.ids.value).length
    const index = indexOf(filter.status)
    const remaining = remainingFilter(filter, 'status')
    if (O.isNone(remaining)) return index.size()
    return index.newest(index.size(), O.none).filter(remaining.value).length
  }

  return {
    storage: records.storage,
    add: (record) => () => Promise.resolve(add(record)),
    findByIdempotencyKey: (key, at) => TE.fromIO(() => O.map(({ pet }: Holder) => pet)(heldAt(holderOf(key), at))),
    findById: (id) => TE.fromIO(() => find(id)),
    findPage: (query) => TE.fromIO(() => findPage(query)),
    count: (filter) => TE.fromIO(() => count(filter)),
  }
}
