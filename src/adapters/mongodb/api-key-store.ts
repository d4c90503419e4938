// API keys in a MongoDB collection: the domain's records with dates, their ids as `_id`.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as t from 'io-ts'
import type { Collection, Filter } from 'mongodb'
import { type ApiKey, apiKeyCodec } from '../../domain/api-keys/api-key.js'
import type { ApiKeyChange, ApiKeyStore } from '../../ports/api-key-store.js'
import type { Damage } from '../../ports/notice.js'
import { batch } from './batching/batch.js'
import { isDuplicateKey, readDocuments } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { damageOf, StoredInstant, soundWith } from './documents/decoding.js'
import { API_KEYS } from './schema/collections.js'

const KeyWithDates = apiKeyCodec(StoredInstant)
type KeyWithDates = t.OutputOf<typeof KeyWithDates>

export interface ApiKeyDocument extends Omit<KeyWithDates, 'id'> {
  readonly _id: string
  /** Of the key that was added as the first one. */
  readonly isFirst?: true
}

export const apiKeyDocument = (key: ApiKey): ApiKeyDocument => {
  const { id, ...members } = KeyWithDates.encode(key)
  return { _id: id, ...members }
}

/** Decodes the key of a document; drops unknown members. */
export const decodeApiKey = (document: unknown): E.Either<Damage, ApiKey> => {
  const record = t.UnknownRecord.is(document) ? { ...document, id: document['_id'] } : document
  return pipe(KeyWithDates.decode(record), E.mapLeft(damageOf('API key', document)))
}

const storedInstant = O.map(StoredInstant.encode)

/** A new changing member does not compile until it has a stored form here. */
const STORED: Readonly<Record<keyof ApiKeyChange, (change: ApiKeyChange) => O.Option<Date | string> | undefined>> = {
  expiresAt: ({ expiresAt }) => expiresAt && storedInstant(expiresAt),
  revokedAt: ({ revokedAt }) => revokedAt && storedInstant(revokedAt),
  lastUsedAt: ({ lastUsedAt }) => lastUsedAt && storedInstant(lastUsedAt),
  successor: ({ successor }) => successor,
}

const updateFrom = (change: ApiKeyChange) => {
  const set: Record<string, Date | string> = {}
  const unset: Record<string, ''> = {}
  for (const [name, stored] of Object.entries(STORED)) {
    const value = stored(change)
    if (value === undefined) continue
    if (O.isSome(value)) set[name] = value.value
    else unset[name] = ''
  }
  // an empty operator is an error
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(Object.keys(unset).length > 0 && { $unset: unset }),
  }
}

/** The same as `canChange` of the domain: safe to repeat when the reply is lost. */
const conditionOf = ({ successor }: ApiKeyChange): Filter<ApiKeyDocument> =>
  successor === undefined || O.isNone(successor)
    ? {}
    : { $or: [{ successor: { $exists: false }, revokedAt: { $exists: false } }, { successor: successor.value }] }

export const makeMongoApiKeyStore = ({ database, run, reportDamage, observe }: StoreContext): ApiKeyStore => {
  const apiKeys: Collection<ApiKeyDocument> = database.collection(API_KEYS)
  const sound = soundWith(reportDamage)
  /** A damaged key is treated as missing. */
  const soundOf = (document: unknown): O.Option<ApiKey> => sound(decodeApiKey(document))

  const add = async (key: ApiKey): Promise<void> => {
    try {
      await apiKeys.insertOne(apiKeyDocument(key))
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      // the first reply may have been lost: adding the same key again succeeds
      const stored = await apiKeys.findOne({ _id: key.id })
      if (stored?.hash !== key.hash) throw error
    }
  }

  const holds = async (filter: Filter<ApiKeyDocument>): Promise<boolean> =>
    (await apiKeys.findOne(filter, { projection: { _id: 1 } })) !== null

  const addFirst = async (key: ApiKey): Promise<boolean> => {
    const own = { _id: key.id, hash: key.hash }
    // the first reply may have been lost
    if (await holds({})) return holds(own)
    try {
      // a unique index lets one document have this member
      await apiKeys.insertOne({ ...apiKeyDocument(key), isFirst: true })
      return true
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      return holds(own)
    }
  }

  const findAll = async (ids: readonly string[]): Promise<readonly O.Option<ApiKey>[]> => {
    const documents = await readDocuments(apiKeys, { _id: { $in: [...new Set(ids)] } }, { batchSize: ids.length + 1 })
    const found = new Map(documents.map((document) => [document._id, soundOf(document)]))
    return ids.map((id) => found.get(id) ?? O.none)
  }
  // strangers may cause look-ups of unknown keys: a few commands for all, so that they do not use up the connections
  const find = batch(findAll, { concurrency: 2, maxItems: 100, observe: observe('apiKeys.find') })

  const change = async (id: string, wanted: ApiKeyChange): Promise<O.Option<ApiKey>> => {
    const update = updateFrom(wanted)
    if (Object.keys(update).length === 0) return find(id)
    const document = await apiKeys.findOneAndUpdate({ _id: id, ...conditionOf(wanted) }, update, {
      returnDocument: 'after',
    })
    return document === null ? O.none : soundOf(document)
  }

  return {
    add: (key) => run(() => add(key)),
    addFirst: (key) => run(() => addFirst(key)),
    find: (id) => run(() => find(id)),
    list: run(async () => {
      const documents = await readDocuments(apiKeys, {}, { sort: { createdAt: 1, _id: 1 } })
      return RA.filterMap(soundOf)(documents)
    }),
    change: (id, wanted) => run(() => change(id, wanted)),
  }
}
