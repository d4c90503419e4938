// The memory of a store's relay: its position in the log, the events that it set aside, and its holder.
import * as t from 'io-ts'
import { Count, Flag, Positive, Text } from '../codecs/guarded.js'
import { struct } from '../codecs/struct.js'
import { everythingAfter, isIn, joinNearest, type NumberRange, NumberRanges, subtract, unite } from './number-ranges.js'

/** An event that its receiver refused, and why. */
const Parked = struct('Parked', { number: Positive, reason: Text }, {})

/** How often the receiver has refused the event with this number. */
const Attempts = struct('Attempts', { number: Positive, count: Positive }, {})

/** The members that can be moved to the record of another store. */
export const POSITION_MEMBERS = {
  /** The events to be sent; the last range is open, because it holds all later ones. */
  pending: NumberRanges,
  /** In ascending order of their numbers. */
  parked: t.readonlyArray(Parked),
  /** Whether any event was ever sent. If so, a broker without an event stream has lost it. */
  hasSent: Flag,
}

export const RelayRecord = struct(
  'RelayRecord',
  {
    ...POSITION_MEMBERS,
    /** Another relay takes over when the version has not changed for so long. */
    leaseMs: Count,
    /** Each save adds one. */
    version: Positive,
  },
  {
    /** The relay that runs; absent if none does. */
    holder: Text,
    attempts: Attempts,
  },
)
export type RelayRecord = t.TypeOf<typeof RelayRecord>

export type RelayPosition = Pick<RelayRecord, keyof typeof POSITION_MEMBERS>

/** Beyond it, the ranges with the smallest gaps are joined: a few events are sent twice, and none is lost. */
const MAX_RANGES = 1_000

/** Beyond it, the relay stops until an operator has retried or replayed the parked events: none is dropped. */
export const MAX_PARKED = 1_000

/** Longer reasons are cut, so that the record stays small. */
export const MAX_REASON_LENGTH = 200

/** The record before the first relay of a store, which begins after this number. It is never stored: the first save has version 1. */
export const unusedAfter = (number: number): RelayRecord => ({
  pending: everythingAfter(number),
  parked: [],
  hasSent: false,
  leaseMs: 0,
  version: 0,
})

/** The record with these numbers to be sent again: no longer parked, and without failed attempts. */
export const withPending = <R extends RelayPosition>(record: R, ranges: readonly NumberRange[]): R => {
  const pending = joinNearest(unite([...record.pending, ...ranges]), MAX_RANGES)
  return { ...record, pending, parked: record.parked.filter(({ number }) => !isIn(pending, number)) }
}

/**
 * The record with the position of another store, whose pets are imported into numbers that nobody drew here: only the pending ones
 * among them are sent.
 */
export const joinedWith = (
  record: RelayRecord,
  imported: RelayPosition,
  skipped: readonly NumberRange[],
): RelayRecord => {
  const joined = withPending({ ...record, pending: subtract(record.pending, skipped) }, imported.pending)
  const known = new Set(joined.parked.map(({ number }) => number))
  const added = imported.parked.filter(({ number }) => !known.has(number) && !isIn(joined.pending, number))
  const room = MAX_PARKED - joined.parked.length
  const parked = [...joined.parked, ...added.slice(0, room)].toSorted((one, other) => one.number - other.number)
  // those without room are tried again instead, because nothing is dropped
  const retried = added.slice(room).map(({ number }): NumberRange => [number, number])
  return withPending({ ...joined, parked, hasSent: joined.hasSent || imported.hasSent }, retried)
}

/** The record that replaces this one. */
export const nextVersion = (record: RelayRecord, changes: Partial<RelayRecord> = {}): RelayRecord => ({
  ...record,
  ...changes,
  version: record.version + 1,
})

/** The record that replaces this one when its holder stops. */
export const releasedFrom = ({ holder, ...record }: RelayRecord): RelayRecord => nextVersion(record)
