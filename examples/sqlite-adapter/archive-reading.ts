// All records of the store: a batch of pets at a time, followed by the idempotency keys that they hold.

import type { Archive, ArchiveItem, Damage } from 'animal-store'
import { faultsOf, type Instant, type PetCreated, PetCreatedFromJson } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Database, QueryResult } from 'node-sqlite3-wasm'
import { ApiKeyFromJson } from './api-key-store.js'
import { lastDrawnId, transaction } from './database.js'

/** Pets of a batch: a few milliseconds of work, so that the process also does other things. */
const BATCH = 500

export type DecodeErrors = Parameters<typeof faultsOf>[0]

export const reasonOf = (errors: DecodeErrors): string =>
  faultsOf(errors)
    .map(({ pointer, reason }) => `${pointer}: ${reason}`)
    .join('; ')

const damaged =
  (record: Damage['record'], id: string) =>
  (errors: DecodeErrors): ArchiveItem => ({ _tag: 'Damaged', damage: { record, id, reason: reasonOf(errors) } })

const apiKeys = (database: Database): readonly ArchiveItem[] =>
  database.all('SELECT id, record FROM api_keys ORDER BY id').map(({ id, record }) => {
    const key = ApiKeyFromJson.decode(record)
    return E.isLeft(key) ? damaged('API key', String(id))(key.left) : { _tag: 'ApiKey', key: key.right }
  })

const petItem = (row: QueryResult): ArchiveItem => {
  const event = PetCreatedFromJson.decode(row['event'])
  return E.isLeft(event) ? damaged('pet', String(row['id']))(event.left) : { _tag: 'Pet', event: event.right }
}

/** A key without its pet is of no use to another store. */
const keyItem = ({ lineage, key, expiresAt }: QueryResult, holder: PetCreated | undefined): readonly ArchiveItem[] => {
  if (holder === undefined) return []
  const { pet, eventId } = holder
  const held = { lineage: String(lineage), key: String(key), expiresAt: Number(expiresAt) }
  return [{ _tag: 'IdempotencyKey', petId: pet.id, eventId, key: held }]
}

interface Batch {
  readonly items: readonly ArchiveItem[]
  /** The id of its last pet; none if there are no more. */
  readonly last: number | undefined
}

const petsAfter = (database: Database, after: number, now: Instant): Batch => {
  const pets = database.all(`SELECT id, event FROM pets WHERE id > ? ORDER BY id LIMIT ${BATCH}`, after)
  const ids = pets.map(({ id }) => Number(id))
  const last = ids.at(-1)
  if (last === undefined) return { items: [], last }
  const keys = database.all(
    `SELECT lineage, key, pet_id AS petId, expires_at AS expiresAt FROM idempotency_keys
     WHERE pet_id > ? AND pet_id <= ? AND expires_at > ? ORDER BY pet_id`,
    [after, last, now],
  )
  const items = pets.map(petItem)
  const events = new Map(
    items.flatMap((item) => (item._tag === 'Pet' ? [[Number(item.event.pet.id), item.event]] : [])),
  )
  return { items: [...items, ...keys.flatMap((row) => keyItem(row, events.get(Number(row['petId']))))], last }
}

/** Each batch is read in a transaction of its own: between them, writers go on. */
export const readArchive = (database: Database): Archive['read'] =>
  async function* (now) {
    const head = await transaction(database, () => [
      { _tag: 'StoreState', lastId: BigInt(lastDrawnId(database)) } as const,
      ...apiKeys(database),
    ])()
    yield head
    if (E.isLeft(head)) return
    let after = 0
    for (;;) {
      const batch = await transaction(database, () => petsAfter(database, after, now))()
      if (E.isLeft(batch)) {
        yield batch
        return
      }
      if (batch.right.last === undefined) return
      yield E.right(batch.right.items)
      after = batch.right.last
    }
  }
