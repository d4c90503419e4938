// All that the store holds, as plain records, so that it can move to another store and back.
import { type MergeTarget, mergeInto, PetCreatedFromJson, type Stored } from 'animal-store'
import type { Archive } from 'animal-store/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, SQLiteValue } from 'node-sqlite3-wasm'
import { ApiKeyFromJson } from './api-key-store.js'
import { type DecodeErrors, readArchive, reasonOf } from './archive-reading.js'
import { lastDrawnId, query, transaction } from './database.js'
import { holderOf, insertPet, putKey } from './pet-repository.js'

const targetIn = (database: Database): MergeTarget => {
  const find = <A>(sql: string, id: SQLiteValue, decode: (u: unknown) => E.Either<DecodeErrors, A>): Stored<A> => {
    const row = database.get(sql, id)
    return row == null ? E.right(O.none) : E.bimap(reasonOf, O.some<A>)(decode(row['record']))
  }
  return {
    lastId: () => E.right(BigInt(lastDrawnId(database))),
    putLastId: (last) => void database.run("REPLACE INTO counters VALUES ('pets', ?)", last),
    pet: (id) => find('SELECT event AS record FROM pets WHERE id = ?', id, PetCreatedFromJson.decode),
    putPet: (event) => insertPet(database, event),
    apiKey: (id) => find('SELECT record FROM api_keys WHERE id = ?', id, ApiKeyFromJson.decode),
    putApiKey: (key) => {
      database.run('REPLACE INTO api_keys VALUES (?, ?, ?)', [key.id, key.createdAt, ApiKeyFromJson.encode(key)])
    },
    holder: (key) => E.right(holderOf(database, key)),
    putIdempotencyKey: ({ petId, key }) => putKey(database, key, petId),
  }
}

export const makeSqliteArchive = (database: Database): Archive => ({
  size: query(() => {
    const tables = ['api_keys', 'pets', 'idempotency_keys'].map((table) => `(SELECT count(*) FROM ${table})`)
    return Number(database.get(`SELECT ${tables.join(' + ')} AS size`)?.['size'])
  }),
  read: readArchive(database),
  merge: (records, now) =>
    transaction(database, () => records.map((record) => mergeInto(targetIn(database), record, now))),
})
