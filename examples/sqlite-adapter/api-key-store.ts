// API keys in SQLite: each is the JSON text of the domain's own codec.

import type { ApiKeyStore } from 'animal-store'
import { ApiKey, canChange, fromJson } from 'animal-store'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'node-sqlite3-wasm'
import { query, transaction } from './database.js'

export const ApiKeyFromJson = fromJson('ApiKeyFromJson', ApiKey)

const keysOf = (rows: readonly { readonly [column: string]: unknown }[]): readonly ApiKey[] =>
  rows.flatMap(({ record }) => {
    const key = ApiKeyFromJson.decode(record)
    return key._tag === 'Right' ? [key.right] : []
  })

export const makeSqliteApiKeyStore = (database: Database): ApiKeyStore => {
  const find = (id: string): O.Option<ApiKey> =>
    O.fromNullable(keysOf(database.all('SELECT record FROM api_keys WHERE id = ?', id))[0])

  return {
    // an id that is in use breaks the primary key, which is Unavailable
    add: (key) =>
      query(() => {
        const row = [key.id, key.createdAt, ApiKeyFromJson.encode(key)]
        database.run('INSERT INTO api_keys VALUES (?, ?, ?)', row)
      }),
    addFirst: (key) =>
      transaction(database, () => {
        const isFirst = database.get('SELECT 1 FROM api_keys LIMIT 1') == null
        const row = [key.id, key.createdAt, ApiKeyFromJson.encode(key)]
        if (isFirst) database.run('INSERT INTO api_keys VALUES (?, ?, ?)', row)
        return isFirst
      }),
    find: (id) => query(() => find(id)),
    list: query(() => keysOf(database.all('SELECT record FROM api_keys ORDER BY created_at, id'))),
    change: (id, change) =>
      transaction(database, () => {
        const found = O.filter((key: ApiKey) => canChange(key, change))(find(id))
        const changed = O.map((key: ApiKey): ApiKey => ({ ...key, ...change }))(found)
        if (O.isSome(changed)) {
          database.run('UPDATE api_keys SET record = ? WHERE id = ?', [ApiKeyFromJson.encode(changed.value), id])
        }
        return changed
      }),
  }
}
