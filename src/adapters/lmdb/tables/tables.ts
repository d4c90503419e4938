// The tables of the embedded store, and what is allowed to be done with them.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Database, Key, RootDatabase } from 'lmdb'
import type { PetStatus } from '../../../domain/pet.js'

/**
 * What a job does with a table. The `Sync` functions write into the transaction that runs the job; the binding's others
 * would begin one of their own.
 */
export type Table<K extends Key> = Pick<
  Database<Buffer, K>,
  'get' | 'doesExist' | 'getKeys' | 'getRange' | 'getStats' | 'putSync' | 'removeSync'
>

/** Pets are keyed by number: ids are at most 2^53-1, and numbers sort as numbers. */
export interface Tables {
  /** The counter of ids, as text; and whether an event was ever sent. */
  readonly meta: Table<string>
  /** Pet id to the pet with its event. */
  readonly pets: Table<number>
  /** The ids of the pets with this status. */
  readonly byStatus: Readonly<Record<PetStatus, Table<number>>>
  /** [lineage of the API key, idempotency key] to the pet that holds it, and until when. Stored as `retries`. */
  readonly idempotencyKeys: Table<string[]>
  /** [expiry, lineage, idempotency key] of each of them: the next to expire is the first. */
  readonly expiries: Table<(number | string)[]>
  readonly apiKeys: Table<string>
  /** Pet id to the state of its event, while that is neither sent nor parked: its size is the backlog. */
  readonly unsent: Table<number>
  /** [due at, pet id] of the unsent. */
  readonly due: Table<number[]>
  /** [time of the event, pet id] of the unsent. */
  readonly ages: Table<number[]>
  /** Pet id to why its event is parked. */
  readonly parked: Table<number>
}

/** How many tables a folder may hold: those above, and room for those to come. */
export const MAX_TABLES = 32

/** The value of an entry whose key says all. */
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

/** Opens the tables, and makes those that are missing: all in one transaction, for each alone would sync the disk. */
export const openTables = (root: RootDatabase<Buffer, string>): Tables => root.transactionSync(() => openAll(root))

const Statistics = t.type({ entryCount: t.number })

/** The number of entries, which LMDB keeps for each table: it costs the same for a hundred and for a million. */
export const entryCount = <K extends Key>(table: Table<K>): number => {
  const statistics = Statistics.decode(table.getStats())
  if (E.isLeft(statistics)) throw new Error('LMDB does not say how many entries a table has')
  return statistics.right.entryCount
}
