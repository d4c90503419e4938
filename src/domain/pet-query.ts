// What a list asks for and what a page is: newest first, by keyset, never by skipping.
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Pet, PetStatus } from './pet.js'

export const MIN_LIMIT = 1
export const MAX_LIMIT = 100
export const DEFAULT_LIMIT = 20
/** How many ids one filter may name. */
export const MAX_IDS = 100

const PLAIN_LIMIT = /^(?:[1-9]\d?|100)$/

/** The page size, 1 to 100, from its plain text: `+5`, `05`, `5.0` and `1e1` are refused. */
export const Limit = new t.Type<number, string, unknown>(
  'Limit',
  (u): u is number => typeof u === 'number' && PLAIN_LIMIT.test(String(u)),
  (u, context) =>
    typeof u === 'string' && PLAIN_LIMIT.test(u)
      ? t.success(Number(u))
      : t.failure(u, context, `must be an integer from ${MIN_LIMIT} to ${MAX_LIMIT}`),
  String,
)

/** Which pets are meant: with this status, if given, and one of these ids, if given. A pet without status matches no status. */
export interface PetFilter {
  readonly status: O.Option<PetStatus>
  readonly ids: O.Option<readonly bigint[]>
}

export interface PetQuery extends PetFilter {
  /** How many pets at most, 1 to 100. */
  readonly limit: number
  /** Only pets with a smaller id: the keyset position of the page before. */
  readonly before: O.Option<bigint>
}

export interface PetPage {
  /** By id, descending. */
  readonly pets: readonly Pet[]
  /** While more follow: the `before` of the next page. */
  readonly next: O.Option<bigint>
}

/**
 * A page out of one pet more than was asked for: the surplus pet only tells that more follow.
 *
 * @example
 * const pets = [2n, 1n].map((id) => petFrom(id, { name: 'Rex', categoryId: 7n }))
 * pageOf(pets, 1) // => { pets: pets.slice(0, 1), next: O.some(2n) }
 */
export const pageOf = (found: readonly Pet[], limit: number): PetPage => {
  const pets = found.slice(0, limit)
  const last = pets.at(-1)
  return { pets, next: found.length > limit && last !== undefined ? O.some(last.id) : O.none }
}
