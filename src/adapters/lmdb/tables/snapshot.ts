// The tables at one instant, for reading only: for work that takes longer than one turn of the event loop.
import type { Key, RangeOptions, RootDatabase, Transaction } from 'lmdb'
import type { PetStatus } from '../../../domain/pets/pet.js'
import type { Table, Tables } from './tables.js'

export interface ReadableTable<K> {
  readonly get: (key: K) => Buffer | undefined
  readonly getKeys: (options?: RangeOptions) => Iterable<K>
  readonly getRange: (options?: RangeOptions) => Iterable<{ readonly key: K; readonly value: Buffer }>
}

type Readable<T> = T extends Table<infer K> ? ReadableTable<K> : never

/** Tables that can be read: those of a snapshot, or the live ones. */
export type ReadableTables = {
  readonly [Name in Exclude<keyof Tables, 'byStatus'>]: Readable<Tables[Name]>
} & { readonly byStatus: Readonly<Record<PetStatus, ReadableTable<number>>> }

export interface Snapshot {
  readonly tables: ReadableTables
  /** Lets LMDB reuse the pages that only this snapshot needs. Until then, the data file grows instead. */
  readonly close: () => void
}

function* calling<A>(onEntry: () => void, entries: Iterable<A>): Generator<A> {
  for (const entry of entries) {
    onEntry()
    yield entry
  }
}

const at =
  (transaction: Transaction, onEntry?: () => void) =>
  <K extends Key>(table: Table<K>): ReadableTable<K> => {
    const watched = <A>(entries: Iterable<A>): Iterable<A> =>
      onEntry === undefined ? entries : calling(onEntry, entries)
    return {
      get: (key) => table.get(key, { transaction }),
      getKeys: (options) => watched(table.getKeys({ ...options, transaction })),
      getRange: (options) => watched(table.getRange({ ...options, transaction })),
    }
  }

/** A snapshot of the latest commit; calls `onEntry` for each entry of a range that is read. */
export const takeSnapshot = (root: RootDatabase<Buffer, string>, tables: Tables, onEntry?: () => void): Snapshot => {
  root.resetReadTxn()
  const transaction = root.useReadTransaction()
  const table = at(transaction, onEntry)
  return {
    tables: {
      meta: table(tables.meta),
      pets: table(tables.pets),
      byStatus: {
        available: table(tables.byStatus.available),
        pending: table(tables.byStatus.pending),
        sold: table(tables.byStatus.sold),
      },
      idempotencyKeys: table(tables.idempotencyKeys),
      expiries: table(tables.expiries),
      apiKeys: table(tables.apiKeys),
    },
    close: () => transaction.done(),
  }
}
