// Ensures the indexes that the adapter relies on, and with them their collections. Idempotent.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, IndexDescription } from 'mongodb'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { Notify } from '../../ports/notice.js'
import { API_KEYS } from './api-key-store.js'
import { type Database, makeDatabase } from './connection/connection.js'
import { LINEAGE_PATH, PETS } from './documents.js'

/** By collection. Others need only the index of `_id`, and the first write creates them. */
export const INDEXES: ReadonlyMap<string, readonly IndexDescription[]> = new Map([
  [
    PETS,
    [
      // pets without a status match no status filter, so they need no entry
      { name: 'status', key: { status: 1, _id: -1 }, partialFilterExpression: { status: { $exists: true } } },
      {
        name: 'idempotency',
        key: { [LINEAGE_PATH]: 1, 'idempotency.key': 1, 'idempotency.generation': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
    ],
  ],
  [API_KEYS, [{ name: 'isFirst', key: { isFirst: 1 }, unique: true, partialFilterExpression: { isFirst: true } }]],
])

/** Milliseconds until a start says that it waits for indexes: those that exist are confirmed at once. */
const ANNOUNCED_AFTER_MS = 1_000

/** Sent even if `listIndexes` has the indexes, because it also lists those that are still being built. */
const createAll = async (database: Db, begun: (collection: string) => void): Promise<void> => {
  for (const [name, indexes] of INDEXES) {
    begun(name)
    await database.collection(name).createIndexes([...indexes])
  }
}

/** For startup. Uses the maintenance client, because an index on millions of pets may take minutes. */
export const makeEnsure = ({ open }: Pick<Database, 'open'>, notify: Notify) => {
  let isAnnounced = false
  return async (): Promise<void> => {
    const database = await open()
    let collection = ''
    const announce = (): void => {
      // once, because startup retries until it succeeds
      if (!isAnnounced) notify({ level: 'info', message: 'waiting until indexes are built', details: { collection } })
      isAnnounced = true
    }
    const timer = setTimeout(announce, ANNOUNCED_AFTER_MS)
    await createAll(database, (name) => {
      collection = name
    }).finally(() => clearTimeout(timer))
  }
}

/**
 * Ensures the indexes in the database of the URI, however long that takes. Calls `begun` before each collection.
 * Throws at once if the URI is malformed.
 */
export const ensureIndexes = (
  uri: string,
  begun: (collection: string) => void = () => {},
): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeDatabase(uri, 'maintenance')
  return TE.tryCatch(async () => {
    try {
      await createAll(await open(), begun)
    } finally {
      await close()
    }
  }, unavailable)
}
