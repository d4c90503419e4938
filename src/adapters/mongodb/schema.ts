// Ensures the collections, validators and indexes that the adapter relies on. Idempotent.
import { isDeepStrictEqual } from 'node:util'
import * as R from 'fp-ts/lib/Record.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, Document, IndexDescription, IndexDescriptionInfo } from 'mongodb'
import { SCOPES } from '../../domain/api-keys/api-key.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { type NewPet, PET_STATUSES, REQUIRED_MEMBERS } from '../../domain/pets/pet.js'
import { memberOf } from '../../domain/thrown.js'
import type { Notify } from '../../ports/notice.js'
import { API_KEYS } from './api-key-store.js'
import { type Database, makeDatabase } from './connection/connection.js'
import { LINEAGE_PATH, PETS } from './documents.js'
import { COUNTERS } from './id-counter.js'

interface CollectionPlan {
  readonly name: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Document>>
  readonly indexes: readonly IndexDescription[]
}

const text = { bsonType: 'string' }
const date = { bsonType: 'date' }
const int64 = { bsonType: 'long' }

export const COLLECTIONS: readonly CollectionPlan[] = [
  {
    name: PETS,
    required: ['_id', ...R.keys(REQUIRED_MEMBERS), 'event'],
    properties: {
      _id: int64,
      // a new member of a pet does not compile until it is listed here
      ...({ name: text, categoryId: int64, status: { enum: [...PET_STATUSES] } } satisfies Record<
        keyof NewPet,
        Document
      >),
      event: { bsonType: 'object', required: ['id', 'time'], properties: { id: text, time: date, traceparent: text } },
    },
    indexes: [
      // pets without a status match no status filter, so they need no entry
      { name: 'status', key: { status: 1, _id: -1 }, partialFilterExpression: { status: { $exists: true } } },
      {
        name: 'idempotency',
        key: { [LINEAGE_PATH]: 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
    ],
  },
  {
    name: COUNTERS,
    required: ['last'],
    properties: {
      last: { ...int64, minimum: 0 },
      skipped: { bsonType: 'array', items: { bsonType: 'object', required: ['from', 'to'] } },
      logId: text,
    },
    indexes: [],
  },
  {
    name: API_KEYS,
    required: ['_id', 'scopes', 'hash', 'createdAt', 'lineage'],
    properties: {
      _id: text,
      name: text,
      scopes: { bsonType: 'array', items: { enum: [...SCOPES] } },
      hash: text,
      createdAt: date,
      expiresAt: date,
      revokedAt: date,
      lastUsedAt: date,
      successor: text,
      lineage: text,
    },
    indexes: [{ name: 'isFirst', key: { isFirst: 1 }, unique: true, partialFilterExpression: { isFirst: true } }],
  },
]

const NAMESPACE_EXISTS = 48

const validatorsIn = async (database: Db): Promise<ReadonlyMap<string, unknown>> => {
  const names = COLLECTIONS.map(({ name }) => name)
  const existing = await database.listCollections({ name: { $in: names } }, { nameOnly: false }).toArray()
  return new Map(existing.map(({ name, options }) => [name, options?.['validator']]))
}

/** `replaces`: whether to replace a different validator, which needs an extra privilege and locks the collection. */
const ensure = async (
  database: Db,
  { name, required, properties, indexes }: CollectionPlan,
  validators: ReadonlyMap<string, unknown>,
  replaces: boolean,
): Promise<void> => {
  // moderate, so that an invalid document of another program can be repaired in steps
  const validator = { $jsonSchema: { bsonType: 'object', required, properties } }
  const validation = { validator, validationLevel: 'moderate' } as const
  const existing = validators.get(name)
  if (!validators.has(name)) {
    await database.createCollection(name, validation).catch((error: unknown) => {
      // another process may have created it first
      if (memberOf(error, 'code') !== NAMESPACE_EXISTS) throw error
    })
  } else if (existing === undefined || (replaces && !isDeepStrictEqual(existing, validator))) {
    await database.command({ collMod: name, ...validation })
  }
  if (indexes.length > 0) await database.collection(name).createIndexes([...indexes])
}

const shapeOf = ({ name, key, unique = false, partialFilterExpression }: IndexDescription | IndexDescriptionInfo) =>
  // as JSON, because the order of members matters
  JSON.stringify([name, key, unique, partialFilterExpression])

const lacksIndexes = async (database: Db, { name, indexes }: CollectionPlan): Promise<boolean> => {
  const existing = (await database.collection(name).indexes()).map(shapeOf)
  return !indexes.every((planned) => existing.includes(shapeOf(planned)))
}

/** For startup. Uses the maintenance client, because an index on millions of pets may take minutes. */
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
    // announced once, because startup retries until it succeeds
    if (missing.length > 0 && collections !== announced) notify({ level: 'info', message, details: { collections } })
    announced = collections
    for (const plan of missing) await ensure(await open(), plan, validators, false)
  }
}

/**
 * Ensures collections, validators and indexes in the database of the URI; each command may take ten minutes. Calls
 * `begun` before each collection. Throws at once if the URI is malformed.
 */
export const ensureIndexes = (uri: string, begun?: (collection: string) => void): TE.TaskEither<Unavailable, void> => {
  const { open, close } = makeDatabase(uri, 'maintenance')
  return TE.tryCatch(async () => {
    try {
      const database = await open()
      const validators = await validatorsIn(database)
      for (const plan of COLLECTIONS) {
        begun?.(plan.name)
        await ensure(database, plan, validators, true)
      }
    } finally {
      await close()
    }
  }, unavailable)
}
