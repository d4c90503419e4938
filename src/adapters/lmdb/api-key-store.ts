// API keys in the embedded store, without their texts. A damaged key is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as t from 'io-ts'
import { ApiKey, byAge, canChange, hasEndedBefore } from '../../domain/api-keys/api-key.js'
import type { Instant } from '../../domain/codecs/instant.js'
import { unavailable } from '../../domain/errors.js'
import type { ApiKeyChange, ApiKeyStore } from '../../ports/api-key-store.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { Environment, WriteResult } from './environment/environment.js'
import { decodeStored, encodeStored } from './tables/stored-json.js'
import type { Tables } from './tables/tables.js'

/** Absent values are stored as null. */
const ABSENT = { name: null, expiresAt: null, revokedAt: null, lastUsedAt: null, successor: null }

const isPresent = ([, value]: readonly [string, unknown]): boolean => value !== null

/** The domain's record of a key, with nulls. */
export const StoredApiKey = new t.Type<ApiKey, object, unknown>(
  'StoredApiKey',
  ApiKey.is,
  (u, context) =>
    ApiKey.validate(t.UnknownRecord.is(u) ? Object.fromEntries(Object.entries(u).filter(isPresent)) : u, context),
  (key) => ({ ...ABSENT, ...ApiKey.encode(key) }),
)

/** The key that is stored under the id; the reason if the bytes are damaged or belong to another id. */
export const decodeApiKey = (id: string, bytes: Uint8Array): E.Either<string, ApiKey> =>
  pipe(
    decodeStored(StoredApiKey, bytes),
    E.filterOrElse(
      (key) => key.id === id,
      () => '/id: belongs to another key',
    ),
  )

export const putApiKey = ({ apiKeys }: Tables, key: ApiKey): ApiKey => {
  apiKeys.putSync(key.id, encodeStored(StoredApiKey, key))
  return key
}

export const makeLmdbApiKeyStore = (environment: Environment, reportDamage: ReportDamage): ApiKeyStore => {
  const decode = (id: string, bytes: Buffer): O.Option<ApiKey> =>
    pipe(
      decodeApiKey(id, bytes),
      E.match((reason) => {
        reportDamage({ record: 'API key', id, reason })
        return O.none
      }, O.some),
    )

  const find = (tables: Tables, id: string): O.Option<ApiKey> => {
    const bytes = id === '' ? undefined : tables.apiKeys.get(id)
    return bytes === undefined ? O.none : decode(id, bytes)
  }

  const add = (tables: Tables, key: ApiKey): WriteResult<void> => {
    if (tables.apiKeys.doesExist(key.id)) return E.left(unavailable(new Error(`key id ${key.id} is in use`)))
    putApiKey(tables, key)
    return E.right(undefined)
  }

  // a damaged key is one too
  const addFirst = (tables: Tables, key: ApiKey): boolean => {
    const isFirst = [...tables.apiKeys.getKeys({ limit: 1 })].length === 0
    if (isFirst) putApiKey(tables, key)
    return isFirst
  }

  const change = (tables: Tables, id: string, changes: ApiKeyChange): O.Option<ApiKey> =>
    pipe(
      find(tables, id),
      O.filter((key) => canChange(key, changes)),
      O.map((key) => putApiKey(tables, { ...key, ...changes })),
    )

  const listAll = (tables: Tables): readonly ApiKey[] =>
    RA.filterMap(({ key, value }: { key: string; value: Buffer }) => decode(key, value))([...tables.apiKeys.getRange()])

  const removeEnded = (tables: Tables, before: Instant): number => {
    const ended = listAll(tables).filter((key) => hasEndedBefore(key, before))
    for (const { id } of ended) tables.apiKeys.removeSync(id)
    return ended.length
  }

  return {
    add: (key) => environment.write((tables) => add(tables, key)),
    addFirst: (key) => environment.write((tables) => E.right(addFirst(tables, key))),
    find: (id) => environment.read((tables) => find(tables, id)),
    list: environment.read((tables) => [...listAll(tables)].sort(byAge)),
    change: (id, changes) => environment.write((tables) => E.right(change(tables, id, changes))),
    removeEnded: (before) => environment.write((tables) => E.right(removeEnded(tables, before))),
  }
}
