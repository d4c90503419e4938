// Filters, queries and pages of pets: newest first, with keyset paging.
import * as O from 'fp-ts/lib/Option.js'
import type { Predicate } from 'fp-ts/lib/Predicate.js'
import * as t from 'io-ts'
import { guarded, type Of } from '../codecs/scalar.js'
import type { Pet, PetId, PetStatus } from './pet.js'

export const MIN_LIMIT = 1
export const MAX_LIMIT = 100
export const DEFAULT_LIMIT = 20
export const LIMIT_RULE = `must be an integer from ${MIN_LIMIT} to ${MAX_LIMIT}`

/** Maximum number of pets on a page: an integer from 1 to 100. */
export type Limit = Of<number, 'Limit'>

const isLimit = (u: unknown): u is Limit =>
  typeof u === 'number' && Number.isInteger(u) && u >= MIN_LIMIT && u <= MAX_LIMIT

export const Limit = guarded<Limit, number>('Limit', isLimit, LIMIT_RULE)

const PLAIN = /^[1-9]\d{0,2}$/

/** A page size from plain text; refuses `+5`, `05`, `5.0` and `1e1`. */
export const LimitFromString = new t.Type<Limit, string, unknown>(
  'LimitFromString',
  isLimit,
  (u, context) => {
    const limit = typeof u === 'string' && PLAIN.test(u) ? Number(u) : undefined
    return isLimit(limit) ? t.success(limit) : t.failure(u, context, LIMIT_RULE)
  },
  String,
)

export const MAX_IDS = 100

/** Selects pets with this status and one of these ids, if given. A pet without a status matches no status. */
export interface PetFilter {
  readonly status: O.Option<PetStatus>
  readonly ids: O.Option<readonly PetId[]>
}

export const ALL_PETS: PetFilter = { status: O.none, ids: O.none }

export const matchesFilter = (filter: PetFilter): Predicate<Pet> => {
  // a new member does not compile until it is here
  const tests: Readonly<Record<keyof PetFilter, Predicate<Pet>>> = {
    status: ({ status }) => O.isNone(filter.status) || status === filter.status.value,
    ids: ({ id }) => O.isNone(filter.ids) || filter.ids.value.includes(id),
  }
  const all = Object.values(tests)
  return (pet) => all.every((test) => test(pet))
}

const distinct = (ids: readonly bigint[]): readonly string[] =>
  [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1)).map(String)

/** Equal for equal filters only, in any order of ids. JSON.stringify of the whole takes twice as long (measured). */
export const filterKey = (filter: PetFilter): string => {
  // a new member does not compile until it is here
  const { status, ids }: Readonly<Record<keyof PetFilter, string>> = {
    status: O.isSome(filter.status) ? JSON.stringify(filter.status.value) : 'null',
    ids: O.isSome(filter.ids) ? JSON.stringify(distinct(filter.ids.value)) : 'null',
  }
  return `{"status":${status},"ids":${ids}}`
}

export interface PetQuery extends PetFilter {
  readonly limit: Limit
  /** Only pets with a smaller id: where the previous page ended. */
  readonly before: O.Option<PetId>
}

/** Equal for equal queries only. A new member does not compile until it is here. */
export const queryKey = (query: PetQuery): string => {
  const { limit, before }: Readonly<Record<Exclude<keyof PetQuery, keyof PetFilter>, string>> = {
    limit: String(query.limit),
    before: O.isSome(query.before) ? String(query.before.value) : '',
  }
  return `${limit} ${before} ${filterKey(query)}`
}

export interface PetPage {
  /** By id, descending. */
  readonly pets: readonly Pet[]
  /** The `before` of the next page, if there is one. */
  readonly next: O.Option<PetId>
}

/** A page from up to one pet more than the limit; the extra one only shows that more follow. */
export const pageOf = (found: readonly Pet[], limit: number): PetPage => {
  const pets = found.slice(0, limit)
  const last = pets.at(-1)
  return { pets, next: found.length > limit && last !== undefined ? O.some(last.id) : O.none }
}
