// All that the store holds, as plain records, so that it can move to another store and back.
import {
  type ArchiveRecord,
  type Instant,
  isSameEvent,
  isSameKeyState,
  mergeApiKeys,
  PetCreatedFromJson,
} from 'animal-store'
import type { Archive, MergeResult } from 'animal-store/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Database } from 'node-sqlite3-wasm'
import { ApiKeyFromJson } from './api-key-store.js'
import { readArchive } from './archive-reading.js'
import { lastDrawnId, query, transaction } from './database.js'
import { insertPet } from './pet-repository.js'

type Of<Tag extends ArchiveRecord['_tag']> = Extract<ArchiveRecord, { readonly _tag: Tag }>

const ADDED: MergeResult = { _tag: 'Added' }
const UNCHANGED: MergeResult = { _tag: 'Unchanged' }
const refused = (reason: string): MergeResult => ({ _tag: 'Refused', reason })
const DAMAGED = refused('the stored record is damaged')

/** The ids that are skipped; none if the counter has them already. */
const raiseCounter = (database: Database, last: bigint): readonly [number, number] | undefined => {
  const drawn = lastDrawnId(database)
  if (last <= drawn) return undefined
  database.run("REPLACE INTO counters VALUES ('pets', ?)", last)
  return [drawn + 1, Number(last)]
}

const mergeState = (database: Database, { lastId }: Of<'StoreState'>): MergeResult => {
  const skipped = raiseCounter(database, lastId)
  return skipped === undefined ? UNCHANGED : { _tag: 'Updated', skipped }
}

const mergePet = (database: Database, { event }: Of<'Pet'>): MergeResult => {
  const { id } = event.pet
  const row = database.get('SELECT event FROM pets WHERE id = ?', id)
  if (row != null) {
    const stored = PetCreatedFromJson.decode(row['event'])
    if (E.isLeft(stored)) return DAMAGED
    return isSameEvent(stored.right, event) ? UNCHANGED : refused('the store has another pet with this id')
  }
  raiseCounter(database, id)
  insertPet(database, event)
  return ADDED
}

const mergeKey = (database: Database, { key }: Of<'ApiKey'>): MergeResult => {
  const row = database.get('SELECT record FROM api_keys WHERE id = ?', key.id)
  if (row == null) {
    database.run('INSERT INTO api_keys VALUES (?, ?, ?)', [key.id, key.createdAt, ApiKeyFromJson.encode(key)])
    return ADDED
  }
  const stored = ApiKeyFromJson.decode(row['record'])
  if (E.isLeft(stored)) return DAMAGED
  const merged = mergeApiKeys(stored.right, key)
  if (E.isLeft(merged)) return refused(`the store has another API key with this id: its ${merged.left} differs`)
  if (isSameKeyState(merged.right, stored.right)) return UNCHANGED
  database.run('UPDATE api_keys SET record = ? WHERE id = ?', [ApiKeyFromJson.encode(merged.right), key.id])
  return { _tag: 'Updated' }
}

const mergeIdempotencyKey = (
  database: Database,
  { petId, key: { lineage, key, expiresAt } }: Of<'IdempotencyKey'>,
  now: Instant,
): MergeResult => {
  if (expiresAt <= now) return UNCHANGED
  if (database.get('SELECT 1 FROM pets WHERE id = ?', petId) == null) return refused('the store lacks its pet')
  const held = 'SELECT pet_id AS petId, expires_at AS expiresAt FROM idempotency_keys WHERE lineage = ? AND key = ?'
  const holder = database.get(held, [lineage, key])
  if (holder != null && BigInt(Number(holder['petId'])) === petId) return UNCHANGED
  if (holder != null && Number(holder['expiresAt']) > now) return refused(`pet ${holder['petId']} holds the same key`)
  database.run('REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?)', [lineage, key, petId, expiresAt])
  return ADDED
}

const mergeOne = (database: Database, record: ArchiveRecord, now: Instant): MergeResult => {
  switch (record._tag) {
    case 'StoreState':
      return mergeState(database, record)
    case 'Pet':
      return mergePet(database, record)
    case 'ApiKey':
      return mergeKey(database, record)
    case 'IdempotencyKey':
      return mergeIdempotencyKey(database, record, now)
  }
}

export const makeSqliteArchive = (database: Database): Archive => ({
  size: query(() => {
    const tables = ['api_keys', 'pets', 'idempotency_keys'].map((table) => `(SELECT count(*) FROM ${table})`)
    return Number(database.get(`SELECT ${tables.join(' + ')} AS size`)?.['size'])
  }),
  read: readArchive(database),
  merge: (records, now) => transaction(database, () => records.map((record) => mergeOne(database, record, now))),
})
