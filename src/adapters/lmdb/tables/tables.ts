// The tables of the embedded store, and the permitted operations on them.
import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Database, Key, RootDatabase } from 'lmdb'
import type { PetStatus } from '../../../domain/pets/pet.js'

/**
 * The operations that jobs use. The `Sync` functions write in the transaction of the job; the other functions of the binding
 * would start another transaction.
 */
export type Table<K extends Key> = Pick<
  Database<Buffer, K>,
  'get' | 'doesExist' | 'getKeys' | 'getRange' | 'getStats' | 'putSync' | 'removeSync'
>

/** Pets are keyed by number: ids are at most 2^53-1, and number keys sort numerically. */
export interface Tables {
  /** The counter of ids, as text, the id of the log, and the record of the relay. */
  readonly meta: Table<string>
  /** Pet id to the pet with its event. */
  readonly pets: Table<number>
  /** The ids of the pets with this status. */
  readonly byStatus: Readonly<Record<PetStatus, Table<number>>>
  /** [lineage of the API key, idempotency key] to the pet that holds it, and the expiry. Stored as `retries`. */
  readonly idempotencyKeys: Table<string[]>
  /** [expiry, lineage, idempotency key] of the same keys: the next to expire comes first. */
  readonly expiries: Table<(number | string)[]>
  readonly apiKeys: Table<string>
}

/** The key in `meta` of the id of the log, made when a process first opens the folder. A backup has none. */
export const LOG_ID_KEY = 'log'

/** Maximum number of tables in a folder: those above, and room for future ones. */
export const MAX_TABLES = 32

/** The value of an entry that needs only its key. */
export const NOTHING = Buffer.from('+')

const openAll = (root: RootDatabase<Buffer, string>): Tables => {
  const table = <K extends Key>(name: string): Table<K> => root.openDB<Buffer, K>(name, { encoding: 'binary' })
  return {
    meta: table('meta'),
    pets: table('pets'),
    byStatus: {
      available: table('pets.available'),
      pending: table('pets.pending'),
      sold: table('pets.sold'),
    },
    idempotencyKeys: table('retries'),
    expiries: table('expiries'),
    apiKeys: table('api-keys'),
  }
}

/** Opens the tables, creates missing ones, and upgrades them: all in one transaction, because each transaction syncs the disk. */
export const openTables = (root: RootDatabase<Buffer, string>, upgrade: (tables: Tables) => void): Tables =>
  root.transactionSync(() => {
    const tables = openAll(root)
    if (!tables.meta.doesExist(LOG_ID_KEY)) tables.meta.putSync(LOG_ID_KEY, Buffer.from(randomUUID()))
    upgrade(tables)
    return tables
  })

/** Opens the tables of a store, and changes nothing; throws if the root is read-only and one is missing. */
export const openExistingTables = (root: RootDatabase<Buffer, string>): Tables => openAll(root)

const Pages = t.type({ treeBranchPageCount: t.number, treeLeafPageCount: t.number, overflowPages: t.number })
const Statistics = t.intersection([
  Pages,
  t.type({ entryCount: t.number, pageSize: t.number, lastPageNumber: t.number, root: Pages, free: Pages }),
])

/** Of the table and its data file. LMDB maintains them, so the cost does not depend on their size. */
export const statisticsOf = (table: { readonly getStats: () => unknown }): t.TypeOf<typeof Statistics> => {
  const statistics = Statistics.decode(table.getStats())
  if (E.isLeft(statistics)) throw new Error('LMDB does not say how many entries and pages a table has')
  return statistics.right
}

export const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: t.TypeOf<typeof Pages>): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages

/** The number of entries. */
export const entryCount = (table: { readonly getStats: () => unknown }): number => statisticsOf(table).entryCount
