// The tables of the embedded store, and the permitted operations on them.
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
  /** The counter of ids, as text, and flags, such as whether any event was ever sent. */
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
  /** Pet id to the state of its event, while it is neither sent nor parked. Its size is the backlog. */
  readonly unsent: Table<number>
  /** [due time, pet id] of unsent events. */
  readonly due: Table<number[]>
  /** [time of the event, pet id] of unsent events. */
  readonly ages: Table<number[]>
  /** Pet id to the reason why its event is parked. */
  readonly parked: Table<number>
}

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
    unsent: table('unsent'),
    due: table('unsent.due'),
    ages: table('unsent.ages'),
    parked: table('parked'),
  }
}

/** Opens the tables, and creates missing ones: all in one transaction, because each transaction syncs the disk. */
export const openTables = (root: RootDatabase<Buffer, string>): Tables => root.transactionSync(() => openAll(root))

/** Opens the tables of a root that is read-only; throws if one is missing. */
export const openTablesForReading = (root: RootDatabase<Buffer, string>): Tables => openAll(root)

const Statistics = t.type({ entryCount: t.number })

/** The number of entries. LMDB maintains it, so the cost does not depend on the size of the table. */
export const entryCount = (table: { readonly getStats: () => unknown }): number => {
  const statistics = Statistics.decode(table.getStats())
  if (E.isLeft(statistics)) throw new Error('LMDB does not say how many entries a table has')
  return statistics.right.entryCount
}
