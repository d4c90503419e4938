// API keys in a MongoDB collection.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Collection } from 'mongodb'
import { type ApiKey, Scope } from '../../domain/api-key.js'
import { struct } from '../../domain/struct.js'
import type { ApiKeyChange, ApiKeyStore } from '../../ports/api-key-store.js'
import type { Damage, ReportDamage } from '../../ports/damage-report.js'
import { batch } from './batching/batch.js'
import { OPERATION_TIMEOUT_MS, type Run } from './connection/connection.js'
import { isDuplicateKey } from './connection/duplicate-key.js'
import { damageOf } from './documents/damage.js'
import { StoredInstant } from './documents/stored-instant.js'

export const StoredApiKey = struct(
  'StoredApiKey',
  { _id: t.string, scopes: t.readonlyArray(Scope), hash: t.string, createdAt: StoredInstant },
  {
    name: t.string,
    expiresAt: StoredInstant,
    revokedAt: StoredInstant,
    lastUsedAt: StoredInstant,
    successor: t.string,
    lineage: t.string,
  },
)
export type ApiKeyDocument = t.OutputOf<typeof StoredApiKey>

/** Drops absent members. */
const present = <A>(members: Readonly<Record<string, O.Option<A>>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (O.isSome(value) ? [[name, value.value]] : [])))

export const encodeApiKey = ({
  id,
  scopes,
  hash,
  createdAt,
  lineage,
  name,
  successor,
  ...times
}: ApiKey): ApiKeyDocument =>
  StoredApiKey.encode({ _id: id, scopes, hash, createdAt, lineage, ...present({ name, successor }), ...present(times) })

export const decodeApiKey = (document: unknown): E.Either<Damage, ApiKey> =>
  pipe(
    StoredApiKey.decode(document),
    E.bimap(damageOf('API key', document), ({ _id, scopes, hash, createdAt, ...optional }) => ({
      id: _id,
      name: O.fromNullable(optional.name),
      scopes,
      hash,
      createdAt,
      expiresAt: O.fromNullable(optional.expiresAt),
      revokedAt: O.fromNullable(optional.revokedAt),
      lastUsedAt: O.fromNullable(optional.lastUsedAt),
      successor: O.fromNullable(optional.successor),
      // keys from versions without lineages start one each, even successors, because their documents do not say which key they replaced
      lineage: optional.lineage ?? _id,
    })),
  )

export const updateFrom = (change: ApiKeyChange) => {
  const set: Record<string, Date | string> = {}
  const unset: Record<string, ''> = {}
  for (const [name, value] of Object.entries<O.Option<number | string>>(change)) {
    if (O.isSome(value)) set[name] = typeof value.value === 'number' ? new Date(value.value) : value.value
    else unset[name] = ''
  }
  // an empty operator is an error
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(Object.keys(unset).length > 0 && { $unset: unset }),
  }
}

export interface MongoApiKeyStoreSettings {
  readonly apiKeys: Collection<ApiKeyDocument>
  readonly run: Run
  readonly reportDamage: ReportDamage
}

export const makeMongoApiKeyStore = ({ apiKeys, run, reportDamage }: MongoApiKeyStoreSettings): ApiKeyStore => {
  /** A damaged key is reported and treated as missing. */
  const soundOf = (document: unknown): O.Option<ApiKey> => {
    const key = decodeApiKey(document)
    if (E.isRight(key)) return O.some(key.right)
    reportDamage(key.left)
    return O.none
  }

  const add = async (key: ApiKey): Promise<void> => {
    try {
      await apiKeys.insertOne(encodeApiKey(key))
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      // the first reply may have been lost: adding the same key again succeeds
      const stored = await apiKeys.findOne({ _id: key.id })
      if (stored?.hash !== key.hash) throw error
    }
  }

  const findAll = async (ids: readonly string[]): Promise<readonly O.Option<ApiKey>[]> => {
    const documents = await apiKeys.find({ _id: { $in: [...new Set(ids)] } }, { batchSize: ids.length + 1 }).toArray()
    const found = new Map(documents.map((document) => [document._id, soundOf(document)]))
    return ids.map((id) => found.get(id) ?? O.none)
  }
  // strangers may cause look-ups of unknown keys: a few commands for all, so that they do not use up the connections
  const find = batch(findAll, { concurrency: 2, maxItems: 100, timeoutMs: OPERATION_TIMEOUT_MS })

  const change = async (id: string, wanted: ApiKeyChange): Promise<O.Option<ApiKey>> => {
    const update = updateFrom(wanted)
    if (Object.keys(update).length === 0) return find(id)
    const document = await apiKeys.findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' })
    return document === null ? O.none : soundOf(document)
  }

  return {
    add: (key) => run(() => add(key)),
    find: (id) => run(() => find(id)),
    list: run(async () => {
      const documents = await apiKeys.find({}, { sort: { createdAt: 1, _id: 1 } }).toArray()
      return documents.flatMap((document) =>
        O.match(
          () => [],
          (key: ApiKey) => [key],
        )(soundOf(document)),
      )
    }),
    change: (id, wanted) => run(() => change(id, wanted)),
  }
}
