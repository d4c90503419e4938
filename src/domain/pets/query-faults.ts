// The bounds of a query, for callers that the compiler does not check. Every list runs this: it must cost nothing.
import * as O from 'fp-ts/lib/Option.js'
import { Int64, MAX_INT64, MIN_INT64 } from '../codecs/int64.js'
import type { Fault } from '../codecs/struct.js'
import { LIMIT_RULE, Limit } from './limit.js'
import { PET_STATUSES, PetStatus } from './pet.js'
import { MAX_IDS, type PetQuery } from './pet-query.js'

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

/** The members that are out of bounds. */
export const queryFaults = (query: PetQuery): readonly Fault[] => {
  let faults = NONE
  for (const [member, reasonOf] of MEMBERS) {
    const reason = reasonOf(query)
    if (reason !== undefined) faults = [...faults, { pointer: `/${member}`, reason }]
  }
  return faults
}
