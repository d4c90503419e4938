// Merges the records of another store, one batch per transaction.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../../domain/api-keys/api-key.js'
import {
  type ArchiveRecord,
  type IdempotencyKeyArchived,
  isSameEvent,
  type PetArchived,
  type StoreState,
} from '../../../domain/archive/archive-record.js'
import { isSameKeyState, mergeApiKeys } from '../../../domain/archive/merge-api-key.js'
import { ADDED, refused, refusedAsDamaged, UNCHANGED, UPDATED } from '../../../domain/archive/merge-results.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { NumberRange } from '../../../domain/events/number-ranges.js'
import type { Archive, MergeResult } from '../../../ports/archive.js'
import { decodeApiKey, StoredApiKey } from '../api-key-store.js'
import type { Environment } from '../environment/environment.js'
import { findStoredKey, putStoredKey } from '../tables/idempotency-key-table.js'
import { COUNTER_KEY, lastDrawnId } from '../tables/meta-table.js'
import { decodePetRecord, encodePetRecord } from '../tables/pet-record.js'
import { encodeStored } from '../tables/stored-json.js'
import { NOTHING, type Tables } from '../tables/tables.js'

/**
 * The ids that are skipped; none if the counter has them already. A damaged counter stays as it is: it stops creates until an operator
 * has looked at it.
 */
const raiseCounter = (tables: Tables, last: bigint): O.Option<NumberRange> => {
  const drawn = lastDrawnId(tables)
  if (E.isLeft(drawn) || drawn.right >= last) return O.none
  tables.meta.putSync(COUNTER_KEY, Buffer.from(String(last)))
  return O.some([Number(drawn.right) + 1, Number(last)])
}

const mergeState = (tables: Tables, { lastId }: StoreState): MergeResult => {
  const skipped = raiseCounter(tables, lastId)
  return O.isSome(skipped) ? { _tag: 'Updated', skipped: skipped.value } : UNCHANGED
}

const mergePet = (tables: Tables, { event }: PetArchived): MergeResult => {
  const id = Number(event.pet.id)
  const bytes = tables.pets.get(id)
  if (bytes !== undefined) {
    return pipe(
      decodePetRecord(id, bytes),
      E.match(refusedAsDamaged, (stored) =>
        isSameEvent(stored, event) ? UNCHANGED : refused('the store has another pet with this id'),
      ),
    )
  }
  raiseCounter(tables, event.pet.id)
  tables.pets.putSync(id, encodePetRecord(event))
  if (event.pet.status !== undefined) tables.byStatus[event.pet.status].putSync(id, NOTHING)
  return ADDED
}

const putApiKey = (tables: Tables, key: ApiKey): void => tables.apiKeys.putSync(key.id, encodeStored(StoredApiKey, key))

const mergeKey = (tables: Tables, key: ApiKey): MergeResult => {
  const bytes = tables.apiKeys.get(key.id)
  if (bytes === undefined) {
    putApiKey(tables, key)
    return ADDED
  }
  const stored = decodeApiKey(key.id, bytes)
  if (E.isLeft(stored)) return refusedAsDamaged(stored.left)
  const merged = mergeApiKeys(stored.right, key)
  if (E.isLeft(merged)) return refused(`the store has another API key with this id: its ${merged.left} differs`)
  if (isSameKeyState(merged.right, stored.right)) return UNCHANGED
  putApiKey(tables, merged.right)
  return UPDATED
}

const mergeIdempotencyKey = (tables: Tables, { petId, key }: IdempotencyKeyArchived, now: Instant): MergeResult => {
  if (key.expiresAt <= now) return UNCHANGED
  if (!tables.pets.doesExist(Number(petId))) return refused('the store lacks its pet')
  const stored = findStoredKey(tables, key)
  if (E.isLeft(stored)) return refusedAsDamaged(stored.left)
  if (O.isSome(stored.right)) {
    const holder = stored.right.value
    if (holder.petId === Number(petId)) return UNCHANGED
    if (holder.expiresAt > now) return refused(`pet ${holder.petId} holds the same key`)
  }
  putStoredKey(tables, key, Number(petId), stored.right, now)
  return ADDED
}

const mergeOne = (tables: Tables, record: ArchiveRecord, now: Instant): MergeResult => {
  switch (record._tag) {
    case 'StoreState':
      return mergeState(tables, record)
    case 'Pet':
      return mergePet(tables, record)
    case 'ApiKey':
      return mergeKey(tables, record.key)
    case 'IdempotencyKey':
      return mergeIdempotencyKey(tables, record, now)
  }
}

export const mergeArchive =
  ({ write }: Pick<Environment, 'write'>): Archive['merge'] =>
  (records, now) =>
    write((tables) => E.right(records.map((record) => mergeOne(tables, record, now))))
