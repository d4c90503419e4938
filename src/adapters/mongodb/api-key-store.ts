// API keys in a MongoDB collection: the records of the domain, with dates as BSON dates and the id as `_id`.
import type * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as t from 'io-ts'
import type { Document, Filter } from 'mongodb'
import { type ApiKey, apiKeyCodec } from '../../domain/api-keys/api-key.js'
import type { Instant } from '../../domain/codecs/scalar.js'
import type { ApiKeyChange, ApiKeyStore } from '../../ports/api-key-store.js'
import type { Damage } from '../../ports/notice.js'
import { batch } from './batch.js'
import { ifDuplicateKey, readDocuments } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { decodeAs, makeOrReport, StoredInstant } from './documents.js'

const KeyWithDates = apiKeyCodec('ApiKey', StoredInstant)
type KeyWithDates = t.OutputOf<typeof KeyWithDates>

export interface ApiKeyDocument extends Omit<KeyWithDates, 'id'> {
  readonly _id: string
  readonly isFirst?: true
}

export const API_KEYS = 'apiKeys'

export const apiKeyDocument = (key: ApiKey): ApiKeyDocument => {
  const { id, ...members } = KeyWithDates.encode(key)
  return { _id: id, ...members }
}

const decodeKey = decodeAs('API key', KeyWithDates)

/** Decodes the key of a document; drops unknown members. */
export const decodeApiKey = (document: unknown): E.Either<Damage, ApiKey> =>
  decodeKey(t.UnknownRecord.is(document) ? { ...document, id: document['_id'] } : document)

/** A new type of changeable member does not compile until it is converted here. */
const storedForm = (value: Instant | string) => ({
  $literal: typeof value === 'string' ? value : StoredInstant.encode(value),
})

const updateFrom = (change: ApiKeyChange): Document[] => {
  const set: Document = {}
  for (const [name, value] of Object.entries(change))
    set[name] = O.isSome<Instant | string>(value) ? storedForm(value.value) : '$$REMOVE'
  return [{ $set: set }]
}

/** `canChange` of the domain as a filter. Also matches a change already made, so that it can be repeated. */
const conditionOf = ({ successor }: ApiKeyChange): Filter<ApiKeyDocument> =>
  successor === undefined || O.isNone(successor)
    ? {}
    : { $or: [{ successor: { $exists: false }, revokedAt: { $exists: false } }, { successor: successor.value }] }

export const makeMongoApiKeyStore = ({ database, run, reportDamage, batching }: StoreContext): ApiKeyStore => {
  const apiKeys = database.collection<ApiKeyDocument>(API_KEYS)
  /** A damaged key is treated as missing. */
  const decodedOf: (document: unknown) => O.Option<ApiKey> = flow(decodeApiKey, makeOrReport(reportDamage))

  const add = async (key: ApiKey): Promise<void> => {
    const inserted = apiKeys.insertOne(apiKeyDocument(key)).then(() => undefined)
    const refused = await inserted.catch(ifDuplicateKey((error) => error))
    // succeeds if the same key is stored, because the reply to an earlier attempt may have been lost
    if (refused !== undefined && (await apiKeys.findOne({ _id: key.id }))?.hash !== key.hash) throw refused
  }

  const holds = async (filter: Filter<ApiKeyDocument>): Promise<boolean> =>
    (await apiKeys.findOne(filter, { projection: { _id: 1 } })) !== null

  const addFirst = async (key: ApiKey): Promise<boolean> => {
    if (!(await holds({}))) {
      // a unique index allows `isFirst` in only one document
      await apiKeys.insertOne({ ...apiKeyDocument(key), isFirst: true }).catch(ifDuplicateKey(() => null))
    }
    // also true if the reply to an earlier attempt was lost
    return holds({ _id: key.id, hash: key.hash, isFirst: true })
  }

  const findAll = async (ids: readonly string[]): Promise<readonly O.Option<ApiKey>[]> => {
    const documents = await readDocuments(apiKeys, { _id: { $in: [...new Set(ids)] } }, { batchSize: ids.length + 1 })
    const found = new Map(documents.map((document) => [document._id, decodedOf(document)]))
    return ids.map((id) => found.get(id) ?? O.none)
  }
  // anyone can cause look-ups of unknown keys, so they share a few commands and cannot use up the connections
  const find = batch(findAll, { concurrency: 2, maxItems: 100, ...batching('apiKeys.find') })

  const change = async (id: string, wanted: ApiKeyChange): Promise<O.Option<ApiKey>> => {
    if (Object.keys(wanted).length === 0) return find(id)
    const filter = { _id: id, ...conditionOf(wanted) }
    const document = await apiKeys.findOneAndUpdate(filter, updateFrom(wanted), { returnDocument: 'after' })
    return document === null ? O.none : decodedOf(document)
  }

  return {
    add: (key) => run(() => add(key)),
    addFirst: (key) => run(() => addFirst(key)),
    find: (id) => run(() => find(id)),
    list: run(async () => {
      const documents = await readDocuments(apiKeys, {}, { sort: { createdAt: 1, _id: 1 } })
      return RA.filterMap(decodedOf)(documents)
    }),
    change: (id, wanted) => run(() => change(id, wanted)),
    removeEnded: (before) =>
      run(async () => {
        const ended = { $lt: StoredInstant.encode(before) }
        const { deletedCount } = await apiKeys.deleteMany({ $or: [{ revokedAt: ended }, { expiresAt: ended }] })
        return deletedCount
      }),
  }
}
