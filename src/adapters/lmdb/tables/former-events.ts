// The states of events that former versions stored, one row per event. The record of the relay replaces them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'lmdb'
import { rangesOf } from '../../../domain/events/number-ranges.js'
import {
  joinedWith,
  MAX_REASON_LENGTH,
  nextVersion,
  RelayRecord,
  unusedAfter,
} from '../../../domain/events/relay-record.js'
import { highestStoredId, RELAY_KEY, storedRelay } from './meta-table.js'
import type { Root } from './root.js'
import { encodeStored } from './stored-json.js'
import type { ReadableTables, Tables } from './tables.js'

/** Pet id to the state of its event while it was neither sent nor parked, with two indexes; and to the reason why it was parked. */
const FORMER_TABLES = ['unsent', 'unsent.due', 'unsent.ages', 'parked']

type Former = ReadonlyMap<string, Database<Buffer, number>>
type Stored = Pick<ReadableTables, 'meta' | 'pets'>

/** The former tables that the store has; a new one has none. */
const openFormer = (root: Root): Former => {
  const names = new Set(root.getKeys())
  const open = (name: string) => root.openDB<Buffer, number>(name, { encoding: 'binary' })
  return new Map(FORMER_TABLES.filter((name) => names.has(name)).map((name) => [name, open(name)]))
}

/** The record with the states in it; none if there is nothing to change. */
const recordWith = (tables: Stored, former: Former): O.Option<RelayRecord> => {
  const stored = storedRelay(tables)
  // a damaged record stays until an operator has looked at it, and the states with it
  if (E.isLeft(stored)) return O.none
  const hasMark = (key: string): boolean => tables.meta.get(key) !== undefined
  const [pending, hasSent] = [rangesOf(former.get('unsent')?.getKeys() ?? []), hasMark('events.sent')]
  const parked = [...(former.get('parked')?.getRange() ?? [])].map(({ key, value }) => ({
    number: key,
    reason: value.toString().slice(0, MAX_REASON_LENGTH),
  }))
  const isEmpty = pending.length + parked.length === 0
  if (isEmpty && (O.isSome(stored.right) || !(hasMark('relayed') || hasSent))) return O.none
  const start = O.getOrElse(() => unusedAfter(Number(highestStoredId(tables))))(stored.right)
  return O.some(nextVersion(joinedWith(start, { pending, parked, hasSent }, [])))
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
