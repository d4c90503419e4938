// Ensures the collections with their validators and indexes. Idempotent.
import { isDeepStrictEqual } from 'node:util'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Collection, type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { Notify } from '../../../ports/notice.js'
import { MAINTENANCE } from '../connection/client.js'
import { type LazyDatabase, makeLazyDatabase } from '../connection/lazy-database.js'
import { COLLECTIONS, type CollectionPlan } from './collections.js'

const NAMESPACE_EXISTS = 48

const validatorOf = ({ schema }: CollectionPlan) => ({ $jsonSchema: schema })

const ensureIndexesOf = async (collection: Collection, { indexes, formerIndexes }: CollectionPlan): Promise<void> => {
  if (indexes.length === 0) return
  await collection.createIndexes([...indexes])
  const existing = (await collection.indexes()).map(({ name }) => name)
  // another instance may have dropped it first
  for (const name of formerIndexes) if (existing.includes(name)) await collection.dropIndex(name).catch(() => {})
}

const ensureCollection = async (database: Db, plan: CollectionPlan): Promise<void> => {
  const { name } = plan
  // moderate: an invalid document of another program can still be settled and repaired
  const validation = { validator: validatorOf(plan), validationLevel: 'moderate' } as const
  const [existing] = await database.listCollections({ name }, { nameOnly: false }).toArray()
  if (existing === undefined) {
    await database.createCollection(name, validation).catch((error: unknown) => {
      // another instance created it first
      if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error
    })
  } else if (!isDeepStrictEqual(existing.options?.['validator'], validation.validator)) {
    // only if necessary: it needs a special privilege and locks the collection
    await database.command({ collMod: name, ...validation })
  }
  await ensureIndexesOf(database.collection(name), plan)
}

const ensureAll = async (database: Db): Promise<void> => {
  for (const plan of COLLECTIONS) await ensureCollection(database, plan)
}

const isSameIndex = (planned: IndexDescription, existing: IndexDescriptionInfo): boolean =>
  planned.name === existing.name &&
  // the order of the members matters
  isDeepStrictEqual(Object.entries(planned.key), Object.entries(existing.key)) &&
  (planned.unique ?? false) === (existing.unique ?? false) &&
  isDeepStrictEqual(planned.partialFilterExpression, existing.partialFilterExpression)

const isReady = async (database: Db, { name, indexes, formerIndexes }: CollectionPlan): Promise<boolean> => {
  if (indexes.length === 0) return true
  const existing = await database.collection(name).indexes()
  return (
    indexes.every((planned) => existing.some((index) => isSameIndex(planned, index))) &&
    !existing.some((index) => formerIndexes.includes(index.name ?? ''))
  )
}

const isPrepared = async (database: Db): Promise<boolean> => {
  const names = COLLECTIONS.map(({ name }) => name)
  const existing = await database.listCollections({ name: { $in: names } }, { nameOnly: false }).toArray()
  const validators = new Map(existing.map(({ name, options }) => [name, options?.['validator'] as unknown]))
  if (!COLLECTIONS.every((plan) => isDeepStrictEqual(validators.get(plan.name), validatorOf(plan)))) return false
  return (await Promise.all(COLLECTIONS.map((plan) => isReady(database, plan)))).every(Boolean)
}

/** Creates what is missing, on the client for maintenance, because an index on millions of pets may take minutes. */
export const prepareWith =
  ({ open }: Pick<LazyDatabase, 'open'>, notify: Notify) =>
  async (database: Db): Promise<void> => {
    if (await isPrepared(database)) return
    notify({ level: 'info', message: 'creating missing collections, validators or indexes', details: {} })
    await ensureAll(await open())
  }

/**
 * Ensures collections, validators and indexes in the database of the URI, with ten minutes per command. Fails only as
 * `Unavailable`; throws at once if the URI is malformed.
 *
 * @since 1.0.0 @category Stores
 * @example
 * const outcome = await ensureIndexes('mongodb://127.0.0.1:9/pets')()
 * E.isLeft(outcome) && outcome.left._tag // => 'Unavailable'
 */
export const ensureIndexes = (uri: string): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeLazyDatabase(uri, MAINTENANCE)
  return TE.tryCatch(async () => {
    try {
      await ensureAll(await open())
    } finally {
      await close()
    }
  }, unavailable)
}
