// The persistent state of the relay: its position in the log, parked events, and its holder.
import * as t from 'io-ts'
import { Count, Flag, guarded, Positive, Text } from '../codecs/scalar.js'
import { struct } from '../codecs/struct.js'

/** An event that the receiver refused, and why. */
const Parked = struct('Parked', { number: Positive, reason: Text })

/** How often the receiver has refused the event with this number. */
const Attempts = struct('Attempts', { number: Positive, count: Positive })

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.slice(1).every((number, at) => number > Number(numbers[at]))

export const Numbers = guarded(
  'Numbers',
  (u): u is readonly number[] => t.readonlyArray(Positive).is(u) && isAscending(u),
  'must be ascending integers from 1',
)

export const RelayRecord = struct(
  'RelayRecord',
  {
    /** Everything up to this number was sent or parked. */
    position: Count,
    /** Parked events to send again, before all others. */
    retry: Numbers,
    /** In ascending order. */
    parked: t.readonlyArray(Parked),
    /** Whether any event was ever sent. If so, a broker without an event stream has lost it. */
    hasSent: Flag,
    /** Another relay takes over when the version has not changed for this long. */
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

/** Limit for `parked` and `retry` together. Beyond it, the relay stops until an operator acts; no event is dropped. */
export const MAX_PARKED = 1_000

/** Longer reasons are cut, so that the record stays small. */
export const MAX_REASON_LENGTH = 200

/** The record of a store without one: its relay begins after this number. Never stored: saves begin at version 1. */
export const unusedAfter = (position: number): RelayRecord => ({
  position,
  retry: [],
  parked: [],
  hasSent: false,
  leaseMs: 0,
  version: 0,
})

/** The record that replaces this one. */
export const nextVersion = (record: RelayRecord, changes: Partial<RelayRecord> = {}): RelayRecord => ({
  ...record,
  ...changes,
  version: record.version + 1,
})

/** The record that replaces this one when its holder stops. */
export const releasedFrom = ({ holder, ...record }: RelayRecord): RelayRecord => nextVersion(record)

/** The record from which everything after this number is sent again. */
export const rewoundTo = ({ attempts, ...record }: RelayRecord, position: number): RelayRecord => ({
  ...record,
  position: Math.min(position, record.position),
  retry: record.retry.filter((number) => number <= position),
  parked: record.parked.filter(({ number }) => number <= position),
})

/** The record from which all parked events are sent again. */
export const withParkedRetried = ({ parked, ...record }: RelayRecord): RelayRecord => ({
  ...record,
  retry: [...record.retry, ...parked.map(({ number }) => number)].sort((one, other) => one - other),
  parked: [],
})
