// The states of events that former versions stored, one row per event. The record of the relay replaces them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'lmdb'
import { rangesOf, unite } from '../../../domain/events/number-ranges.js'
import {
  joinedWith,
  MAX_PARKED,
  MAX_REASON_LENGTH,
  nextVersion,
  type RelayPosition,
  RelayRecord,
  unusedAfter,
} from '../../../domain/events/relay-record.js'
import { highestStoredId, RELAY_KEY, storedRelay } from './meta-table.js'
import type { Root } from './root.js'
import { encodeStored } from './stored-json.js'
import type { ReadableTables, Tables } from './tables.js'

/** Pet id to the state of its event, while it was neither sent nor parked. */
const UNSENT = 'unsent'
/** Pet id to the reason why its event was parked. */
const PARKED = 'parked'
/** The tables above, and two indexes of `unsent`. */
const FORMER_TABLES = [UNSENT, PARKED, 'unsent.due', 'unsent.ages']

/** Keys in `meta`: present once a process on the folder had relayed events, and once any event was sent. */
const RELAYED_KEY = 'relayed'
const HAS_SENT_KEY = 'events.sent'

type FormerTable = Database<Buffer, number>
type Stored = Pick<ReadableTables, 'meta' | 'pets'>

/** The former tables that the store has; a new one has none. */
const openFormer = (root: Root): ReadonlyMap<string, FormerTable> => {
  const names = new Set(root.getKeys())
  const open = (name: string): FormerTable => root.openDB<Buffer, number>(name, { encoding: 'binary' })
  return new Map(FORMER_TABLES.filter((name) => names.has(name)).map((name) => [name, open(name)]))
}

/** The position that the states amount to. */
const positionOf = ({ meta }: Stored, former: ReadonlyMap<string, FormerTable>): RelayPosition => {
  const states = [...(former.get(PARKED)?.getRange({ limit: MAX_PARKED }) ?? [])]
  const parked = states.map(({ key, value }) => ({ number: key, reason: value.toString().slice(0, MAX_REASON_LENGTH) }))
  // nothing is dropped: those without room are sent again
  const start = (parked.at(-1)?.number ?? 0) + 1
  const unparked = parked.length < MAX_PARKED ? [] : rangesOf(former.get(PARKED)?.getKeys({ start }) ?? [])
  const unsent = rangesOf(former.get(UNSENT)?.getKeys() ?? [])
  return { pending: unite(...unsent, ...unparked), parked, hasSent: meta.get(HAS_SENT_KEY) !== undefined }
}

/** The record with the states in it; none if there is nothing to change. */
const recordWith = (tables: Stored, former: ReadonlyMap<string, FormerTable>): O.Option<RelayRecord> => {
  const stored = storedRelay(tables)
  // a damaged record stays until an operator has looked at it, and the states with it
  if (E.isLeft(stored)) return O.none
  const position = positionOf(tables, former)
  const isEmpty = position.pending.length + position.parked.length === 0
  const isRelayed = O.isSome(stored.right) || tables.meta.get(RELAYED_KEY) !== undefined || position.hasSent
  if (isEmpty && (O.isSome(stored.right) || !isRelayed)) return O.none
  const start = O.getOrElse(() => unusedAfter(Number(highestStoredId(tables))))(stored.right)
  return O.some(nextVersion(joinedWith(start, position, [])))
}

/**
 * Moves the states into the record, in the present transaction, each time that a process opens the store: one of a former version may
 * have run beside this one. To empty a table takes a few milliseconds, however many rows it has, because LMDB frees its pages without
 * reading them (a million events: 16 ms, measured).
 */
export const moveFormerEvents = (root: Root, tables: Tables): void => {
  const former = openFormer(root)
  const record = recordWith(tables, former)
  if (O.isNone(record)) return
  tables.meta.putSync(RELAY_KEY, encodeStored(RelayRecord, record.value))
  for (const table of former.values()) table.clearSync()
}

/** The record that the store will have once this version has opened it; none if it has that one already. */
export const formerRelay = (root: Root, tables: Stored): O.Option<RelayRecord> => recordWith(tables, openFormer(root))
