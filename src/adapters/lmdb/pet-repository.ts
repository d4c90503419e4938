// Pets in the embedded store: each is committed together with its event, its index entry and its idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { unavailable } from '../../domain/errors.js'
import type { Pet } from '../../domain/pet.js'
import { type PetFilter, type PetQuery, pageOf } from '../../domain/pet-query.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { Added, PetRecord, PetRepository } from '../../ports/pet-repository.js'
import { entryCount } from './entry-count.js'
import type { Environment, Written } from './environment.js'
import { encodePetRecord } from './pet-record.js'
import { findEventWith, keyOf } from './pet-table.js'
import { findRetry, putRetry } from './retry-table.js'
import { NOTHING, type Tables } from './tables.js'
import { putUnsent } from './unsent-table.js'

export interface PetRepositorySettings {
  /** Whether new events wait in the outbox; without a relay they would pile up. */
  readonly isRelayed: boolean
  readonly reportDamage: ReportDamage
}

const refused = (reason: string): Written<never> => E.left(unavailable(new Error(reason)))

export const makeLmdbPetRepository = (
  environment: Environment,
  { isRelayed, reportDamage }: PetRepositorySettings,
): PetRepository => {
  const findEvent = findEventWith(reportDamage)

  const petAt = (tables: Tables, id: bigint): O.Option<Pet> => {
    const key = keyOf(id)
    const event = O.isSome(key) ? findEvent(tables, key.value) : O.none
    return O.isSome(event) ? O.some(event.value.pet) : O.none
  }

  const heldBy = (tables: Tables, petId: number): Written<Added> =>
    pipe(
      petAt(tables, BigInt(petId)),
      O.match(
        () => refused(`pet ${petId}, which holds the idempotency key, cannot be read`),
        (by) => E.right({ _tag: 'KeyTaken', by }),
      ),
    )

  const put = (tables: Tables, { event }: PetRecord, key: number): Written<Added> => {
    tables.pets.putSync(key, encodePetRecord(event))
    if (event.pet.status !== undefined) tables.byStatus[event.pet.status].putSync(key, NOTHING)
    if (isRelayed) putUnsent(tables, key, { time: event.time, dueAt: event.time })
    return E.right({ _tag: 'Added' })
  }

  const add = (tables: Tables, record: PetRecord): Written<Added> => {
    const { time, pet } = record.event
    const key = keyOf(pet.id)
    if (O.isNone(key) || tables.pets.doesExist(key.value)) return refused(`id ${pet.id} is in use, or no id`)
    if (O.isNone(record.idempotency)) return put(tables, record, key.value)
    const used = record.idempotency.value
    const holder = findRetry(tables, used)
    if (E.isLeft(holder)) return refused(`the record of an idempotency key is damaged: ${holder.left}`)
    if (O.isSome(holder.right) && holder.right.value.expiresAt > time) return heldBy(tables, holder.right.value.petId)
    putRetry(tables, used, key.value, holder.right, time)
    return put(tables, record, key.value)
  }

  const matches = ({ status }: PetFilter, pet: Pet): boolean => O.isNone(status) || pet.status === status.value

  const named = (tables: Tables, filter: PetFilter, ids: readonly bigint[]): readonly Pet[] =>
    [...new Set(ids)]
      .sort((one, other) => (one < other ? 1 : -1))
      .flatMap((id) =>
        O.match(
          (): Pet[] => [],
          (pet: Pet) => [pet],
        )(petAt(tables, id)),
      )
      .filter((pet) => matches(filter, pet))

  const indexOf = (tables: Tables, { status }: PetFilter) =>
    O.isSome(status) ? tables.byStatus[status.value] : tables.pets

  const newest = (tables: Tables, query: PetQuery, count: number): readonly Pet[] => {
    const start = O.isSome(query.before) ? { start: Number(query.before.value - 1n) } : {}
    const found: Pet[] = []
    for (const id of indexOf(tables, query).getKeys({ reverse: true, ...start })) {
      const pet = petAt(tables, BigInt(id))
      if (O.isSome(pet) && matches(query, pet.value)) found.push(pet.value)
      if (found.length === count) break
    }
    return found
  }

  const find = (tables: Tables, query: PetQuery): readonly Pet[] => {
    const { ids, before, limit } = query
    if (O.isNone(ids)) return newest(tables, query, limit + 1)
    return named(tables, query, ids.value).filter((pet) => O.isNone(before) || pet.id < before.value)
  }

  return {
    add: (record) => environment.write((tables) => add(tables, record)),
    findById: (id) => environment.read((tables) => petAt(tables, id)),
    findPage: (query) => environment.read((tables) => pageOf(find(tables, query), query.limit)),
    count: (filter) =>
      environment.read((tables) =>
        O.isSome(filter.ids) ? named(tables, filter, filter.ids.value).length : entryCount(indexOf(tables, filter)),
      ),
  }
}
