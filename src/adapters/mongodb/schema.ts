// Ensures the indexes that the adapter relies on, and with them their collections. Idempotent.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, IndexDescription, IndexDescriptionInfo } from 'mongodb'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { memberOf } from '../../domain/thrown.js'
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
        key: { [LINEAGE_PATH]: 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
    ],
  ],
  [API_KEYS, [{ name: 'isFirst', key: { isFirst: 1 }, unique: true, partialFilterExpression: { isFirst: true } }]],
])

const NAMESPACE_NOT_FOUND = 26

const shapeOf = ({ name, key, unique = false, partialFilterExpression }: IndexDescription | IndexDescriptionInfo) =>
  // as JSON, because the order of members matters
  JSON.stringify([name, key, unique, partialFilterExpression])

const lacksIndexes = async (database: Db, [name, planned]: readonly [string, readonly IndexDescription[]]) => {
  const found = await database
    .collection(name)
    .indexes()
    .catch((error: unknown) => {
      if (memberOf(error, 'code') !== NAMESPACE_NOT_FOUND) throw error
      return []
    })
  const existing = found.map(shapeOf)
  return !planned.every((index) => existing.includes(shapeOf(index)))
}

/** For startup. Uses the maintenance client, because an index on millions of pets may take minutes. */
export const makeEnsureMissing = ({ open }: Pick<Database, 'open'>, notify: Notify) => {
  let announced = ''
  return async (database: Db): Promise<void> => {
    const lacking = await Promise.all([...INDEXES].map((plan) => lacksIndexes(database, plan)))
    const missing = [...INDEXES].filter((_, at) => lacking[at])
    const collections = missing.map(([name]) => name).join(' ')
    // announced once, because startup retries until it succeeds
    if (missing.length > 0 && collections !== announced)
      notify({ level: 'info', message: 'creating missing indexes', details: { collections } })
    announced = collections
    for (const [name, indexes] of missing) await (await open()).collection(name).createIndexes([...indexes])
  }
}

/**
 * Ensures the indexes in the database of the URI; each command may take ten minutes. Calls `begun` before each
 * collection. Throws at once if the URI is malformed.
 */
export const ensureIndexes = (uri: string, begun?: (collection: string) => void): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeDatabase(uri, 'maintenance')
  return TE.tryCatch(async () => {
    try {
      const database = await open()
      for (const [name, indexes] of INDEXES) {
        begun?.(name)
        await database.collection(name).createIndexes([...indexes])
      }
    } finally {
      await close()
    }
  }, unavailable)
}
