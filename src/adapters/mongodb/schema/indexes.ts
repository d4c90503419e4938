// Ensures the collections with their validators and indexes. Idempotent.
import { isDeepStrictEqual } from 'node:util'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, IndexDescription, IndexDescriptionInfo } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { memberOf } from '../../../domain/thrown.js'
import type { Notify } from '../../../ports/notice.js'
import { type Database, makeDatabase } from '../connection/client.js'
import { COLLECTIONS, type CollectionPlan } from './collections.js'

const NAMESPACE_EXISTS = 48

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
  if (!existing.has(name)) {
    await database.createCollection(name, validation).catch((error: unknown) => {
      // another process may have created it first
      if (memberOf(error, 'code') !== NAMESPACE_EXISTS) throw error
    })
  } else if (!isDeepStrictEqual(existing.get(name), validator)) {
    await database.command({ collMod: name, ...validation })
  }
}

/** `replacesValidators`: also those that exist and differ, which needs a privilege of its own and locks the collection. */
const ensure = async (
  database: Db,
  plans: readonly CollectionPlan[],
  replacesValidators: boolean,
  begun?: (collection: string) => void,
): Promise<void> => {
  const validators = await validatorsIn(database)
  for (const plan of plans) {
    const { name, indexes } = plan
    begun?.(name)
    if (replacesValidators || validators.get(name) === undefined) await ensureValidator(database, plan, validators)
    if (indexes.length > 0) await database.collection(name).createIndexes([...indexes])
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

/**
 * Creates missing collections, validators and indexes at a start, on the client for maintenance, because an index on millions of
 * pets may take minutes. Changes no validator that exists.
 */
export const makeEnsureMissing = ({ open }: Pick<Database, 'open'>, notify: Notify) => {
  let announced = ''
  return async (database: Db): Promise<void> => {
    const validators = await validatorsIn(database)
    const missing: CollectionPlan[] = []
    for (const plan of COLLECTIONS) {
      if (validators.get(plan.name) === undefined || (await lacksIndexes(database, plan))) missing.push(plan)
    }
    const collections = missing.map(({ name }) => name).join(' ')
    const message = 'creating missing collections, validators or indexes'
    // a start that cannot create them tries again and again
    if (missing.length > 0 && collections !== announced) notify({ level: 'info', message, details: { collections } })
    announced = collections
    if (missing.length > 0) await ensure(await open(), missing, false)
  }
}

/**
 * Ensures collections, validators and indexes in the database of the URI. Each command may take ten minutes. `begun` gets the name of
 * each collection before its turn. Fails only as `Unavailable`; throws at once if the URI is malformed.
 */
export const ensureIndexes = (uri: string, begun?: (collection: string) => void): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeDatabase(uri, 'maintenance')
  return TE.tryCatch(async () => {
    try {
      await ensure(await open(), COLLECTIONS, true, begun)
    } finally {
      await close()
    }
  }, unavailable)
}
