// All that the store holds, as plain records, so that it can move to another store and back.

import type { Archive } from 'animal-store'
import { type Counted, decideImport, type ImportTarget, PetCreatedFromJson, type Stored } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, SQLiteValue } from 'node-sqlite3-wasm'
import { ApiKeyFromJson } from './api-key-store.js'
import { type DecodeErrors, readArchive, reasonOf } from './archive-reading.js'
import { lastDrawnId, lastId, query, transaction } from './database.js'
import { holderOf, insertPet, putKey } from './pet-repository.js'

const targetIn = (database: Database): ImportTarget => {
  const find = <A>(sql: string, id: SQLiteValue, decode: (u: unknown) => E.Either<DecodeErrors, A>): Stored<A> => {
    const row = database.get(sql, id)
    return row == null ? E.right(O.none) : E.bimap(reasonOf, O.some<A>)(decode(row['record']))
  }
  return {
    lastPet: BigInt(lastId(database)),
    pet: (id) => find('SELECT event AS record FROM pets WHERE id = ?', id, PetCreatedFromJson.decode),
    apiKey: (id) => find('SELECT record FROM api_keys WHERE id = ?', id, ApiKeyFromJson.decode),
    holder: (key) => E.right(holderOf(database, key)),
  }
}

const put = (database: Database, record: Counted): void => {
  if (record._tag === 'Pet') insertPet(database, record.event)
  else if (record._tag === 'IdempotencyKey') putKey(database, record.key, record.petId)
  else {
    const { key } = record
    database.run('INSERT INTO api_keys VALUES (?, ?, ?)', [key.id, key.createdAt, ApiKeyFromJson.encode(key)])
  }
}

export const makeSqliteArchive = (database: Database): Archive => ({
  size: query(() => {
    const tables = ['api_keys', 'pets', 'idempotency_keys'].map((table) => `(SELECT count(*) FROM ${table})`)
    return Number(database.get(`SELECT ${tables.join(' + ')} AS size`)?.['size'])
  }),
  read: readArchive(database),
  add: (batch) =>
    TE.flatMapEither((added: ReturnType<typeof decideImport>) => added)(
      transaction(database, () => {
        const added = decideImport(batch, targetIn(database))
        if (E.isLeft(added)) return added
        for (const record of added.right) put(database, record)
        const last = O.getOrElse(() => 0n)(batch.lastId)
        if (last > lastDrawnId(database)) database.run("REPLACE INTO counters VALUES ('pets', ?)", last)
        return added
      }),
    ),
})
