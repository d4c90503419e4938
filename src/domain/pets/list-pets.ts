// Lists pets, newest first, one page at a time, and counts them on request.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { Int64, MAX_INT64, MIN_INT64 } from '../codecs/int64.js'
import type { Fault } from '../codecs/struct.js'
import type { Unavailable, ValidationFailed } from '../errors.js'
import { PET_STATUSES, PetStatus } from './pet.js'
import { LIMIT_RULE, Limit, MAX_IDS, type PetPage, type PetQuery } from './pet-query.js'

const AN_INT64 = `an integer from ${MIN_INT64} to ${MAX_INT64}`

/** The fault of each invalid member; a new member does not compile until it is here. */
const REASON_OF: Readonly<Record<keyof PetQuery, (query: PetQuery) => string | undefined>> = {
  status: ({ status }) =>
    O.isNone(status) || PetStatus.is(status.value) ? undefined : `must be one of ${PET_STATUSES.join(', ')}`,
  ids: ({ ids }) =>
    O.isNone(ids) || (ids.value.length <= MAX_IDS && ids.value.every(Int64.is))
      ? undefined
      : `must be at most ${MAX_IDS} ids, each ${AN_INT64}`,
  limit: ({ limit }) => (Limit.is(limit) ? undefined : LIMIT_RULE),
  before: ({ before }) => (O.isNone(before) || Int64.is(before.value) ? undefined : `must be ${AN_INT64}`),
}

const MEMBERS = Object.entries(REASON_OF)
const NONE: readonly Fault[] = []

/** The members that are out of bounds, for callers that the compiler does not check. Every list runs this: it must cost nothing. */
const queryFaults = (query: PetQuery): readonly Fault[] => {
  let faults = NONE
  for (const [member, reasonOf] of MEMBERS) {
    const reason = reasonOf(query)
    if (reason !== undefined) faults = [...faults, { pointer: `/${member}`, reason }]
  }
  return faults
}

export interface ListPetsInput {
  readonly query: PetQuery
  /** Whether to count all pets that match the filter, beyond the page. */
  readonly counted: boolean
}

export interface PetList {
  readonly page: PetPage
  readonly total: O.Option<number>
}

export type ListPets = (input: ListPetsInput) => TaskEither<ValidationFailed | Unavailable, PetList>

/**
 * A page of 1 to 100 pets, newest first; `next` is the `before` of the page after it (openapi.yaml: listPets).
 * `ValidationFailed` names every member of the query that is out of bounds.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const query = { ...ALL_PETS, limit: DEFAULT_LIMIT, status: O.some('sold' as const), before: O.none }
 * await listPets(ports)({ query, counted: true })() // => E.right({ page: { pets: [], next: O.none }, total: O.some(0) })
 */
export const listPets =
  (ports: Pick<Ports, 'pets'>): ListPets =>
  ({ query, counted }) =>
  async () => {
    const faults = queryFaults(query)
    if (faults.length > 0) return E.left({ _tag: 'ValidationFailed', faults })
    const page = await ports.pets.findPage(query)()
    if (E.isLeft(page)) return page
    if (!counted) return E.right({ page: page.right, total: O.none })
    // afterwards, because a store leaves out of the count what it has found damaged
    const total = await ports.pets.count(query)()
    return E.isLeft(total) ? total : E.right({ page: page.right, total: O.some(total.right) })
  }
