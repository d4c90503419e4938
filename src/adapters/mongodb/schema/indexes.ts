// Ensures the collections with their validators and indexes. Idempotent.
import { isDeepStrictEqual } from 'node:util'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { Notify } from '../../../ports/notice.js'
import { type Database, MAINTENANCE, makeDatabase } from '../connection/client.js'
import { COLLECTIONS, type CollectionPlan } from './collections.js'

const NAMESPACE_EXISTS = 48

/** For what another process may have created or dropped first. */
const unlessCode =
  (code: number) =>
  (error: unknown): void => {
    if (!(error instanceof MongoServerError && error.code === code)) throw error
  }

/** The validators of the collections that exist. */
const validatorsIn = async (database: Db): Promise<ReadonlyMap<string, unknown>> => {
  const names = COLLECTIONS.map(({ name }) => name)
  const existing = await database.listCollections({ name: { $in: names } }, { nameOnly: false }).toArray()
  return new Map(existing.map(({ name, options }) => [name, options?.['validator']]))
}

const ensureValidator = async (
  database: Db,
  { name, required, properties }: CollectionPlan,
  existing: ReadonlyMap<string, unknown>,
): Promise<void> => {
  // moderate: an invalid document of another program can still be repaired
  const validator = { $jsonSchema: { bsonType: 'object', required, properties } }
  const validation = { validator, validationLevel: 'moderate' } as const
  if (!existing.has(name)) await database.createCollection(name, validation).catch(unlessCode(NAMESPACE_EXISTS))
  else if (!isDeepStrictEqual(existing.get(name), validator)) {
    await database.command({ collMod: name, ...validation })
  }
}

/** `replacesValidators`: also those that exist and differ, which needs a privilege of its own and locks the collection. */
const ensure = async (
  database: Db,
  plans: readonly CollectionPlan[],
  replacesValidators: boolean,
  begun: (collection: string) => void = () => {},
): Promise<void> => {
  const validators = await validatorsIn(database)
  for (const plan of plans) {
    const { name, indexes } = plan
    begun(name)
    const collection = database.collection(name)
    if (replacesValidators || validators.get(name) === undefined) await ensureValidator(database, plan, validators)
    if (indexes !== undefined) await collection.createIndexes([...indexes])
  }
}

const isSameIndex = (planned: IndexDescription, existing: IndexDescriptionInfo): boolean =>
  planned.name === existing.name &&
  // the order of the members matters
  isDeepStrictEqual(Object.entries(planned.key), Object.entries(existing.key)) &&
  (planned.unique ?? false) === (existing.unique ?? false) &&
  isDeepStrictEqual(planned.partialFilterExpression, existing.partialFilterExpression)

const lacksIndexes = async (database: Db, { name, indexes }: CollectionPlan): Promise<boolean> => {
  if (indexes === undefined) return false
  const existing = await database.collection(name).indexes()
  return !indexes.every((planned) => existing.some((index) => isSameIndex(planned, index)))
}

/**
 * Creates missing collections, validators and indexes at a start, on the client for maintenance, because an index on millions of
 * pets may take minutes. Changes no validator that exists.
 */
export const prepareWith = ({ open }: Pick<Database, 'open'>, notify: Notify) => {
  let announced = ''
  return async (database: Db): Promise<void> => {
    const validators = await validatorsIn(database)
    const lacking = await Promise.all(
      COLLECTIONS.map(async (plan) => validators.get(plan.name) === undefined || (await lacksIndexes(database, plan))),
    )
    const missing = COLLECTIONS.filter((_, at) => lacking[at])
    if (missing.length === 0) return
    const collections = missing.map(({ name }) => name).join(' ')
    // a start that cannot create them tries again and again
    if (collections !== announced) {
      notify({
        level: 'info',
        message: 'creating missing collections, validators or indexes',
        details: { collections },
      })
    }
    announced = collections
    await ensure(await open(), missing, false)
    announced = ''
  }
}

/**
 * Ensures collections, validators and indexes in the database of the URI. Each command may take ten minutes. `begun` gets the name of each collection before its turn. Fails only
 * as `Unavailable`; throws at once if the URI is malformed.
 */
export const ensureIndexes = (uri: string, begun?: (collection: string) => void): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeDatabase(uri, MAINTENANCE)
  return TE.tryCatch(async () => {
    try {
      await ensure(await open(), COLLECTIONS, true, begun)
    } finally {
      await close()
    }
  }, unavailable)
}
