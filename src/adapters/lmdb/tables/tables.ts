// The tables of the embedded store, the permitted operations on them, and a view of them at one instant.
import { randomUUID } from 'node:crypto'
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Database, Key } from 'lmdb'
import type { PetStatus } from '../../../domain/pets/pet.js'
import type { FileLevels } from '../../../ports/store-observer.js'
import { DATA_FILE, LAST_BACKUP_FILE } from '../environment/data-file.js'
import { fromLatest, type Root } from './root.js'

/** The `Sync` functions write in the transaction of the job; the other functions of the binding would start another one. */
export type Table<K extends Key> = Pick<
  Database<Buffer, K>,
  'get' | 'doesExist' | 'getKeys' | 'getRange' | 'getStats' | 'putSync' | 'removeSync'
>
export type ReadableTable<K extends Key> = Pick<Table<K>, 'get' | 'getKeys' | 'getRange'>

export interface Entry<K> {
  readonly key: K
  readonly value: Buffer
}

/** Pets are keyed by number: ids are at most 2^53-1, and number keys sort numerically. */
export interface Tables {
  /** The unnamed table of LMDB itself: its record of each table, under the name in C. */
  readonly names: Table<string | Uint8Array>
  /** The counter of ids, as text, the id of the log, and the record of the relay. */
  readonly meta: Table<string>
  /** Pet id to the pet with its event. */
  readonly pets: Table<number>
  readonly byStatus: Readonly<Record<PetStatus, Table<number>>>
  /** [lineage of the API key, idempotency key] to the pet that holds it, and the expiry. Stored as `retries`. */
  readonly idempotencyKeys: Table<string[]>
  /** [expiry, lineage, idempotency key] of the same keys: the next to expire comes first. */
  readonly expiries: Table<(number | string)[]>
  readonly apiKeys: Table<string>
}

/** What an archive reads: of a snapshot, or the live tables. */
export interface ReadableTables {
  readonly meta: ReadableTable<string>
  readonly pets: ReadableTable<number>
  readonly idempotencyKeys: ReadableTable<string[]>
  readonly apiKeys: ReadableTable<string>
}

/** The key in `meta` of the id of the log, made when a process first opens the folder. A backup has none. */
export const LOG_ID_KEY = 'log'

/** The key in `meta` of the id of the log that a backup was copied from. */
export const ORIGIN_KEY = 'origin'

/** The value of an entry that needs only its key. */
export const KEY_ONLY = Buffer.from('+')

/** Opens the tables of a store; throws if the root is read-only and one is missing. */
export const openTables = (root: Root): Tables => {
  const table = <K extends Key>(name: string): Table<K> => root.openDB<Buffer, K>(name, { encoding: 'binary' })
  return {
    names: root,
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
export const createTables = (root: Root): Promise<Tables> =>
  fromLatest(root, (isLatest) =>
    root.transactionSync(() => {
      if (!isLatest()) return undefined
      const tables = openTables(root)
      if (!tables.meta.doesExist(LOG_ID_KEY)) tables.meta.putSync(LOG_ID_KEY, Buffer.from(randomUUID()))
      return tables
    }),
  )

export interface Snapshot {
  readonly tables: ReadableTables
  /** Lets LMDB reuse the pages that only this snapshot needs. Until then, the data file grows instead. */
  readonly close: () => void
}

/** The latest commit, for work that takes longer than one turn of the event loop. */
export const takeSnapshot = (root: Root, { meta, pets, idempotencyKeys, apiKeys }: ReadableTables): Snapshot => {
  root.resetReadTxn()
  const transaction = root.useReadTransaction()
  const at = <K extends Key>(table: ReadableTable<K>): ReadableTable<K> => ({
    get: (key) => table.get(key, { transaction }),
    getKeys: (options) => table.getKeys({ ...options, transaction }),
    getRange: (options) => table.getRange({ ...options, transaction }),
  })
  return {
    tables: { meta: at(meta), pets: at(pets), idempotencyKeys: at(idempotencyKeys), apiKeys: at(apiKeys) },
    close: () => transaction.done(),
  }
}

const Pages = t.type({ treeBranchPageCount: t.number, treeLeafPageCount: t.number, overflowPages: t.number })
const Statistics = t.intersection([
  Pages,
  t.type({ entryCount: t.number, pageSize: t.number, lastPageNumber: t.number, free: Pages }),
])

/** Of the table and its data file. LMDB maintains them, so the cost does not depend on their size. */
const statisticsOf = (table: { readonly getStats: () => unknown }): t.TypeOf<typeof Statistics> => {
  const statistics = Statistics.decode(table.getStats())
  if (E.isLeft(statistics)) throw new Error('LMDB does not say how many entries and pages a table has')
  return statistics.right
}

const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: t.TypeOf<typeof Pages>): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages

export const entryCount = (table: { readonly getStats: () => unknown }): number => statisticsOf(table).entryCount

/** How large the store is, and how much larger it may get, at a cost that does not depend on it. Throws if the folder is gone. */
export const fileLevels = (directory: string, { byStatus, ...tables }: Tables): FileLevels => {
  const { bavail, blocks, bsize } = statfsSync(directory)
  const { pageSize, lastPageNumber, free } = statisticsOf(tables.names)
  const trees = [free, ...[...Object.values(tables), ...Object.values(byStatus)].map(statisticsOf)]
  // two pages are headers
  const usedPages = trees.reduce((sum, tree) => sum + pagesOf(tree), 2)
  return {
    _tag: 'File',
    fileBytes: statSync(join(directory, DATA_FILE)).size,
    logBytes: 0,
    freeBytes: (lastPageNumber + 1 - usedPages) * pageSize,
    diskBytes: blocks * bsize,
    diskAvailableBytes: bavail * bsize,
    lastBackupMs: statSync(join(directory, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }
}
