// Filters as MongoDB queries, and a key that identifies equal queries.
import * as O from 'fp-ts/lib/Option.js'
import type { Filter } from 'mongodb'
import { MAX_INT64 } from '../../../domain/codecs/int64.js'
import { filterKey, type PetFilter, type PetQuery } from '../../../domain/pets/pet-query.js'
import { NOT_VOID, type PetDocument } from '../documents/pet-document.js'

/** Documents that match the filter with a smaller id. The upper bound also excludes ids that are not numbers. */
export const matching = ({ status, ids }: PetFilter, before: O.Option<bigint> = O.none): Filter<PetDocument> => {
  const bound = O.isSome(before) ? { $lt: before.value } : { $lte: MAX_INT64 }
  // a new member of the filter does not compile until it is here
  const conditions: Readonly<Record<keyof PetFilter, Filter<PetDocument>>> = {
    ids: { _id: O.isSome(ids) ? { ...bound, $in: [...ids.value] } : bound },
    // a void has no status
    status: O.isSome(status) ? { status: status.value } : NOT_VOID,
  }
  const all: Filter<PetDocument> = {}
  for (const condition of Object.values(conditions)) Object.assign(all, condition)
  return all
}

/** Equal for equal queries only; a new member does not compile until it is here. */
export const queryKey = (query: PetQuery): string => {
  const members: Readonly<Record<Exclude<keyof PetQuery, keyof PetFilter>, string>> = {
    limit: String(query.limit),
    before: O.isSome(query.before) ? String(query.before.value) : '',
  }
  return JSON.stringify([members, filterKey(query)])
}
