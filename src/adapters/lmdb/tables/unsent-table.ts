// The state of events that are neither sent nor parked, with two indexes: by due time and by age.
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { struct } from '../../../domain/codecs/struct.js'
import type { ClaimRequest } from '../../../ports/outbox.js'
import type { ReadableTables } from './snapshot.js'
import { decodeStored, encodeStored, WholeNumber } from './stored-json.js'
import { NOTHING, type Tables } from './tables.js'

export const Unsent = struct('Unsent', { failures: WholeNumber, dueAt: WholeNumber, time: WholeNumber }, {})
type Unsent = t.TypeOf<typeof Unsent>

/** The state of an unsent event. A damaged state counts as new, because a lost event is worse than one sent twice. */
export const findUnsent = (tables: Pick<ReadableTables, 'unsent'>, id: number): O.Option<Unsent> => {
  const bytes = tables.unsent.get(id)
  return bytes === undefined
    ? O.none
    : O.some(O.getOrElse<Unsent>(() => ({ failures: 0, dueAt: 0, time: 0 }))(O.fromEither(decodeStored(Unsent, bytes))))
}

const put = (tables: Tables, id: number, state: Unsent): void => {
  tables.unsent.putSync(id, encodeStored(Unsent, state))
  tables.due.putSync([state.dueAt, id], NOTHING)
  tables.ages.putSync([state.time, id], NOTHING)
}

export const removeUnsent = (tables: Tables, id: number, { dueAt, time }: Unsent): void => {
  tables.unsent.removeSync(id)
  tables.due.removeSync([dueAt, id])
  tables.ages.removeSync([time, id])
}

export const changeUnsent = (tables: Tables, id: number, state: Unsent, change: Partial<Unsent>): void => {
  removeUnsent(tables, id, state)
  put(tables, id, { ...state, ...change })
}

/** Makes the event unsent, without failures unless some are known, whatever its state was. */
export const putUnsent = (
  tables: Tables,
  id: number,
  { dueAt, time, failures = 0 }: Pick<Unsent, 'dueAt' | 'time'> & Partial<Unsent>,
): void => {
  const before = findUnsent(tables, id)
  if (O.isSome(before)) removeUnsent(tables, id, before.value)
  tables.parked.removeSync(id)
  put(tables, id, { failures, dueAt, time })
}

/** Unsent events that are due, longest due first, with the due times of the index. */
export const dueUnsent = (
  tables: Tables,
  { now, maxDueAt, limit }: Pick<ClaimRequest, 'now' | 'maxDueAt' | 'limit'>,
): readonly (readonly [number, Unsent])[] => {
  const due = [...tables.due.getKeys({ start: [0], end: [now, Number.MAX_SAFE_INTEGER], limit })]
  if (due.length < limit) due.push(...tables.due.getKeys({ start: [maxDueAt + 1], limit: limit - due.length }))
  return due.flatMap(([dueAt, id]) => {
    if (dueAt === undefined || id === undefined) return []
    const state = findUnsent(tables, id)
    if (O.isSome(state)) return [[id, { ...state.value, dueAt }] as const]
    // damage: without its state, the entry would take a place in every claim
    tables.due.removeSync([dueAt, id])
    return []
  })
}
