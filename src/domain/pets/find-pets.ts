// Finds one pet by its id, and lists pets.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { guarded, Int64, MAX_INT64, MIN_INT64 } from '../codecs/scalar.js'
import { inputFaults, optionOf } from '../codecs/struct.js'
import type { PetNotFound, Unavailable, ValidationFailed } from '../errors.js'
import { type Pet, type PetId, PetStatus } from './pet.js'
import { Limit, MAX_IDS, type PetPage, type PetQuery } from './pet-query.js'

const NOT_FOUND: E.Either<PetNotFound, never> = E.left({ _tag: 'PetNotFound' })

export type GetPet = (id: PetId) => TaskEither<PetNotFound | Unavailable, Pet>

/** Finds a pet by id. `PetNotFound` if no pet has it or it is not an int64 (openapi.yaml: getPet). */
export const getPet =
  (ports: Pick<Ports, 'pets'>): GetPet =>
  (id) =>
  async () => {
    if (!Int64.is(id)) return NOT_FOUND
    const found = await ports.pets.findById(id)()
    if (E.isLeft(found)) return found
    return O.isSome(found.right) ? E.right(found.right.value) : NOT_FOUND
  }

const areIds = (u: unknown): u is readonly bigint[] => Array.isArray(u) && u.length <= MAX_IDS && u.every(Int64.is)

const Ids = guarded('Ids', areIds, `must be at most ${MAX_IDS} ids, each an integer from ${MIN_INT64} to ${MAX_INT64}`)

const queryFaults = inputFaults<PetQuery>({
  status: optionOf(PetStatus),
  ids: optionOf(Ids),
  limit: Limit,
  before: optionOf(Int64),
})

export interface ListPetsInput {
  readonly query: PetQuery
  /** Whether to count all pets that match the filter. */
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
    const total = await ports.pets.count(query)()
    return E.isLeft(total) ? total : E.right({ page: page.right, total: O.some(total.right) })
  }
