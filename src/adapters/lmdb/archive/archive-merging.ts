// Merges the records of another store, one batch per transaction.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type MergeTarget, mergeInto } from '../../../domain/archive/decide-merge.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { Archive } from '../../../ports/archive.js'
import { decodeApiKey, StoredApiKey } from '../api-key-store.js'
import type { Environment } from '../environment/environment.js'
import { findStoredKey, putStoredKey } from '../tables/idempotency-key-table.js'
import { COUNTER_KEY, lastDrawnId } from '../tables/meta-table.js'
import { putPet, storedEvent } from '../tables/pet-table.js'
import { encodeStored, storedAs } from '../tables/stored-json.js'
import type { Tables } from '../tables/tables.js'

const targetOf = (tables: Tables, now: Instant): MergeTarget => ({
  lastId: () => lastDrawnId(tables),
  putLastId: (last) => tables.meta.putSync(COUNTER_KEY, Buffer.from(String(last))),
  pet: (id) => storedEvent(tables, Number(id)),
  putPet: (event) => putPet(tables, event),
  apiKey: (id) => storedAs(tables.apiKeys.get(id), (bytes) => decodeApiKey(id, bytes)),
  putApiKey: (key) => tables.apiKeys.putSync(key.id, encodeStored(StoredApiKey, key)),
  holder: (key) => findStoredKey(tables, key),
  putIdempotencyKey: (record) => {
    const replaced = O.flatten(O.fromEither(findStoredKey(tables, record.key)))
    putStoredKey(tables, record.key, record, replaced, now)
  },
})

export const mergeArchive =
  ({ write }: Pick<Environment, 'write'>): Archive['merge'] =>
  (records, now) =>
    write((tables) => {
      const target = targetOf(tables, now)
      return E.right(records.map((record) => mergeInto(target, record, now)))
    })
