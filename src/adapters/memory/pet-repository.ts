// Pets in maps, each added together with its event and its idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../domain/pets/add-pet.js'
import type { Added, IdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import { decideAdd, type Hold, heldAt } from '../../domain/pets/decide-add.js'
import { PET_STATUSES, type Pet, type PetStatus } from '../../domain/pets/pet.js'
import { findNamed, type PetFilter, type PetQuery, pageOf, remainingFilter } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'

import { makePetIndex, type PetIndex, type PetRecords } from './pet-records.js'

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

  const add = (record: PetRecord): Added => {
    const { event, idempotencyKey } = record
    const { pet } = event
    forgetExpired(event.time)
    // a reader of the log has passed every smaller id
    const isIdTaken = pet.id <= all.lastId()
    const decision = decideAdd(record, { isIdTaken, holder: O.flatMap(holderOf)(idempotencyKey) })
    if (decision._tag === 'KeyTaken') return { _tag: 'KeyTaken', by: decision.by.pet }
    if (decision._tag === 'IdTaken') return decision
    if (O.isSome(idempotencyKey)) {
      const slot = slotOf(idempotencyKey.value)
      held.delete(slot)
      held.set(slot, { pet, expiresAt: idempotencyKey.value.expiresAt })
    }
    events.set(Number(pet.id), event)
    all.add(pet)
    if (pet.status !== undefined) byStatus.get(pet.status)?.add(pet)
    return decision
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

  const count = (filter: PetFilter): number => {
    if (O.isSome(filter.ids)) return findNamed(find, { ...filter, before: O.none }, filter.ids.value).length
    const index = indexOf(filter.status)
    const remaining = remainingFilter(filter, 'status')
    if (O.isNone(remaining)) return index.size()
    return index.newest(index.size(), O.none).filter(remaining.value).length
  }

  return {
    storage: records.storage,
    add: (record) => () => Promise.resolve(E.right(add(record))),
    findByIdempotencyKey: (key, at) => TE.fromIO(() => O.map(({ pet }: Holder) => pet)(heldAt(holderOf(key), at))),
    findById: (id) => TE.fromIO(() => find(id)),
    findPage: (query) => TE.fromIO(() => pageOf(newest(query, query.limit + 1), query.limit)),
    count: (filter) => TE.fromIO(() => count(filter)),
  }
}
