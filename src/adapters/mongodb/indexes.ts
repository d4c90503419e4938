// The collections with the validators and indexes that the adapter relies on; ensuring them again changes nothing.
import { isDeepStrictEqual } from 'node:util'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Collection, type Db, type Document, type IndexDescription, MongoServerError } from 'mongodb'
import { SCOPES } from '../../domain/api-key.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { PET_STATUSES } from '../../domain/pet.js'
import { MAINTENANCE, makeClient } from './client.js'

export const PETS = 'pets'
export const COUNTERS = 'counters'
export const API_KEYS = 'apiKeys'

interface CollectionPlan {
  readonly name: string
  readonly schema: Document
  readonly indexes: readonly IndexDescription[]
  /** Names of indexes that earlier versions used: each would cost every write. */
  readonly formerIndexes: readonly string[]
}

const text = { bsonType: 'string' }
const date = { bsonType: 'date' }
const int64 = { bsonType: 'long' }

const PLANS: readonly CollectionPlan[] = [
  {
    name: PETS,
    schema: {
      bsonType: 'object',
      required: ['_id', 'name', 'categoryId', 'event'],
      properties: {
        _id: int64,
        name: text,
        categoryId: int64,
        status: { enum: [...PET_STATUSES] },
        event: { bsonType: 'object', required: ['id', 'time'], properties: { id: text, time: date } },
      },
    },
    indexes: [
      // a page by status; a pet without status matches no status filter, so it needs no entry
      {
        name: 'status',
        key: { status: 1, _id: -1 },
        partialFilterExpression: { status: { $exists: true } },
      },
      {
        name: 'idempotency',
        key: { 'idempotency.apiKeyId': 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
      // as large as the backlog: sent events leave it. In the order of claims, with all that they and the backlog ask of it
      {
        name: 'due',
        key: { 'unsent.parked': 1, 'unsent.dueAt': 1, _id: 1, 'event.time': 1 },
        partialFilterExpression: { 'unsent.parked': { $exists: true } },
      },
      { name: 'time', key: { 'event.time': 1, _id: 1 } },
    ],
    formerIndexes: ['unsent'],
  },
  {
    name: COUNTERS,
    schema: { bsonType: 'object', required: ['last'], properties: { last: int64 } },
    indexes: [],
    formerIndexes: [],
  },
  {
    name: API_KEYS,
    schema: {
      bsonType: 'object',
      required: ['_id', 'scopes', 'hash', 'createdAt'],
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
    },
    indexes: [],
    formerIndexes: [],
  },
]

const NAMESPACE_EXISTS = 48

const ensureIndexesOf = async (collection: Collection, { indexes, formerIndexes }: CollectionPlan): Promise<void> => {
  if (indexes.length === 0) return
  await collection.createIndexes([...indexes])
  const existing = (await collection.indexes()).map(({ name }) => name)
  // another instance may drop it first
  for (const name of formerIndexes) if (existing.includes(name)) await collection.dropIndex(name).catch(() => {})
}

const ensureCollection = async (database: Db, plan: CollectionPlan): Promise<void> => {
  const { name, schema } = plan
  // moderate: a document of another hand that is not valid can still be settled and mended
  const validation = { validator: { $jsonSchema: schema }, validationLevel: 'moderate' } as const
  const [existing] = await database.listCollections({ name }, { nameOnly: false }).toArray()
  if (existing === undefined) {
    await database.createCollection(name, validation).catch((error: unknown) => {
      // another instance was faster, with the same plan
      if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error
    })
  } else if (!isDeepStrictEqual(existing.options?.['validator'], validation.validator)) {
    // not each time: it needs a right of its own and locks the collection
    await database.command({ collMod: name, ...validation })
  }
  await ensureIndexesOf(database.collection(name), plan)
}

/** Ensures all that a store needs in its database. */
export const prepare = async (database: Db): Promise<void> => {
  for (const plan of PLANS) await ensureCollection(database, plan)
}

/**
 * Ensures collections, validators and indexes, with all the time that an index on millions of pets takes; a URI names the
 * database. Fails only as `Unavailable`; throws at once if the URI is malformed.
 *
 * @example
 * const outcome = await ensureIndexes('mongodb://127.0.0.1:9/pets')()
 * E.isLeft(outcome) && outcome.left._tag // => 'Unavailable'
 */
export const ensureIndexes = (uri: string): TE.TaskEither<Unavailable, void> => {
  const client = makeClient(uri, MAINTENANCE)
  return TE.tryCatch(async () => {
    try {
      await client.connect()
      await prepare(client.db())
    } finally {
      await client.close()
    }
  }, unavailable)
}
