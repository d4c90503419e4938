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
const INDEX_NOT_FOUND = 27

const validatorOf = ({ schema }: CollectionPlan) => ({ $jsonSchema: schema })

const isMissing = (error: unknown): boolean => error instanceof MongoServerError && error.code === INDEX_NOT_FOUND

const ensureIndexesOf = async (collection: Collection, { indexes, formerIndexes }: CollectionPlan): Promise<void> => {
  if (indexes.length === 0) return
  await collection.createIndexes([...indexes])
  const existing = (await collection.indexes()).map(({ name }) => name)
  for (const name of formerIndexes) {
    if (!existing.includes(name)) continue
    await collection.dropIndex(name).catch((error: unknown) => {
      // another process may have dropped it first
      if (!isMissing(error)) throw error
    })
  }
}

const validatorsIn = async (database: Db): Promise<ReadonlyMap<string, unknown>> => {
  const names = COLLECTIONS.map(({ name }) => name)
  const existing = await database.listCollections({ name: { $in: names } }, { nameOnly: false }).toArray()
  return new Map(existing.map(({ name, options }) => [name, options?.['validator']]))
}

const ensureValidator = async (database: Db, plan: CollectionPlan, existing: ReadonlyMap<string, unknown>) => {
  const { name } = plan
  // moderate: an invalid document of another program can still be repaired
  const validation = { validator: validatorOf(plan), validationLevel: 'moderate' } as const
  if (!existing.has(name)) {
    await database.createCollection(name, validation).catch((error: unknown) => {
      // another instance created it first
      if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error
    })
  } else if (!isDeepStrictEqual(existing.get(name), validation.validator)) {
    // only if necessary: it needs a special privilege and locks the collection
    await database.command({ collMod: name, ...validation })
  }
}

const isSameIndex = (planned: IndexDescription, existing: IndexDescriptionInfo): boolean =>
  planned.name === existing.name &&
  // the order of the members matters
  isDeepStrictEqual(Object.entries(planned.key), Object.entries(existing.key)) &&
  (planned.unique ?? false) === (existing.unique ?? false) &&
  isDeepStrictEqual(planned.partialFilterExpression, existing.partialFilterExpression)

const lacksIndexes = async (database: Db, { name, indexes }: CollectionPlan): Promise<boolean> => {
  if (indexes.length === 0) return false
  const existing = await database.collection(name).indexes()
  return !indexes.every((planned) => existing.some((index) => isSameIndex(planned, index)))
}

/** The collections and indexes that a start must create. It changes no validator and drops no index, because instances of an earlier version may run. */
const missingIn = async (database: Db): Promise<readonly CollectionPlan[]> => {
  const validators = await validatorsIn(database)
  const lacking = await Promise.all(
    COLLECTIONS.map(async (plan) => validators.get(plan.name) === undefined || (await lacksIndexes(database, plan))),
  )
  return COLLECTIONS.filter((_, at) => lacking[at])
}

/** Creates what is missing, on the client for maintenance, because an index on millions of pets may take minutes. */
export const prepareWith =
  ({ open }: Pick<LazyDatabase, 'open'>, notify: Notify) =>
  async (database: Db): Promise<void> => {
    const missing = await missingIn(database)
    if (missing.length === 0) return
    notify({ level: 'info', message: 'creating missing collections, validators or indexes', details: {} })
    const maintenance = await open()
    const validators = await validatorsIn(maintenance)
    for (const plan of missing) {
      if (validators.get(plan.name) === undefined) await ensureValidator(maintenance, plan, validators)
      if (plan.indexes.length > 0) await maintenance.collection(plan.name).createIndexes([...plan.indexes])
    }
  }

/**
 * Ensures collections, validators and indexes in the database of the URI, and drops the indexes of earlier versions, whose
 * instances must no longer run. Each command may take ten minutes. Fails only as
 * `Unavailable`; throws at once if the URI is malformed.
 *
 * @example
 * const outcome = await ensureIndexes('mongodb://127.0.0.1:9/pets')()
 * E.isLeft(outcome) && outcome.left._tag // => 'Unavailable'
 */
export const ensureIndexes = (uri: string): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeLazyDatabase(uri, MAINTENANCE)
  return TE.tryCatch(async () => {
    try {
      const database = await open()
      const validators = await validatorsIn(database)
      for (const plan of COLLECTIONS) {
        await ensureValidator(database, plan, validators)
        await ensureIndexesOf(database.collection(plan.name), plan)
      }
    } finally {
      await close()
    }
  }, unavailable)
}
