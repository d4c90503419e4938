// The writes of the store, as functions of the connection that writes: each decides and writes within the transaction of its group.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type ApiKey, canChange, hasEndedBefore } from '../../../domain/api-keys/api-key.js'
import type { ImportBatch, RecordDiffers } from '../../../domain/archive/archive-record.js'
import { decideImport, type Stored } from '../../../domain/archive/decide-import.js'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../../domain/pets/add-pet.js'
import { decideAdd, type KeyTaken, type PetRecord } from '../../../domain/pets/decide-add.js'
import type { Pet, PetId } from '../../../domain/pets/pet.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import type { Connection } from '../file/connection.js'
import {
  allApiKeys,
  type Decoded,
  findApiKey,
  findEvent,
  findHolder,
  heldPet,
  highestId,
  insertPet,
  lastId,
  loadRelay,
  putApiKey,
  putHolder,
} from '../records.js'
import { type PetValues, recordOf } from './pet-values.js'

/** More than one, so that expired keys dwindle; few, so that no create waits for them. */
const REMOVED_PER_WRITE = 4

const REMOVE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE (lineage, key) IN
    (SELECT lineage, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`

const addTo = (connection: Connection, record: PetRecord, last: bigint): PetId | KeyTaken<Pet> => {
  const { idempotencyKey } = record
  const holder = O.isNone(idempotencyKey) ? O.none : findHolder(connection, idempotencyKey.value)
  const decision = decideAdd(record, { lastId: last, holder })
  if (E.isLeft(decision)) throw decision.left.cause
  if (decision.right._tag === 'KeyTaken') {
    const { petId } = decision.right.by
    return { _tag: 'KeyTaken', by: heldPet(petId, O.flatten(O.fromEither(findEvent(connection, petId)))).pet }
  }
  const { event } = decision.right
  insertPet(connection, event)
  if (O.isSome(idempotencyKey)) putHolder(connection, idempotencyKey.value, event.pet.id)
  return event.pet.id
}

const stored = <A>(found: Decoded<O.Option<A>>): Stored<A> => (E.isLeft(found) ? E.left(found.left.reason) : found)

const addBatchTo = (connection: Connection, batch: ImportBatch): E.Either<RecordDiffers, readonly number[]> => {
  const added = decideImport(batch, {
    lastPet: highestId(connection),
    pet: (id) => stored(findEvent(connection, id)),
    apiKey: (id) => stored(findApiKey(connection, id)),
    holder: (key) => E.right(findHolder(connection, key)),
  })
  if (E.isLeft(added)) return added
  for (const record of added.right) {
    if (record._tag === 'ApiKey') putApiKey(connection, record.key)
    else if (record._tag === 'Pet') insertPet(connection, record.event)
    else putHolder(connection, record.key, record.petId)
  }
  if (O.isSome(batch.lastId)) connection.run('UPDATE store SET last_id = max(last_id, ?)', batch.lastId.value)
  const records = new Set(added.right)
  return E.right(batch.records.flatMap((record, at) => (records.has(record) ? [at] : [])))
}

/**
 * For one transaction of so many writes, in which nobody else writes. Plain values in and out, because they cross from one thread to
 * another. A write that throws is `Unavailable`.
 */
export const makeWrites = (connection: Connection, size: number) => {
  const { first, run } = connection
  // read once, not for each pet
  let last: bigint | undefined
  let hasRemoved = false

  return {
    /** The id that the pet got; or the holder of the key. */
    add: (values: PetValues): PetId | KeyTaken<Pet> => {
      last ??= lastId(connection)
      const record = recordOf(values)
      const added = addTo(connection, record, last)
      if (typeof added === 'bigint') last = added
      if (O.isNone(record.idempotencyKey) || hasRemoved) return added
      // once, because a statement for each pet took 4 µs (measured)
      run(REMOVE_EXPIRED, record.event.time - KEPT_AFTER_EXPIRY_MS, REMOVED_PER_WRITE * size)
      hasRemoved = true
      return added
    },
    addKey: (key: ApiKey): void => {
      if (first('SELECT 1 FROM api_keys WHERE id = ?', key.id) !== undefined)
        throw new Error(`key id ${key.id} is in use`)
      putApiKey(connection, key)
    },
    // a damaged key is one too
    addFirstKey: (key: ApiKey): boolean => {
      const isFirst = first('SELECT 1 FROM api_keys') === undefined
      if (isFirst) putApiKey(connection, key)
      return isFirst
    },
    changeKey: ({ id, change }: { readonly id: string; readonly change: ApiKeyChange }): O.Option<ApiKey> => {
      const found = O.flatten(O.fromEither(findApiKey(connection, id)))
      if (O.isNone(found) || !canChange(found.value, change)) return O.none
      const changed = { ...found.value, ...change }
      putApiKey(connection, changed)
      return O.some(changed)
    },
    removeEndedKeys: (before: Instant): number => {
      const ended = RA.rights(allApiKeys(connection)).filter((key) => hasEndedBefore(key, before))
      for (const { id } of ended) run('DELETE FROM api_keys WHERE id = ?', id)
      return ended.length
    },
    saveRelay: (record: RelayRecord): boolean => {
      const found = loadRelay(connection)
      if (record.version !== (O.isSome(found) ? found.value.version : 0) + 1) return false
      run('UPDATE store SET relay = ?', JSON.stringify(RelayRecord.encode(record)))
      return true
    },
    /** The places of the records that were added: copies of the records would not be those of the caller. */
    addBatch: (batch: ImportBatch): E.Either<RecordDiffers, readonly number[]> => {
      last = undefined
      return addBatchTo(connection, batch)
    },
  }
}

export type Writes = ReturnType<typeof makeWrites>
export type WriteInput<N extends keyof Writes> = Parameters<Writes[N]>[0]
export type WriteOutput<N extends keyof Writes> = ReturnType<Writes[N]>

export interface Write {
  readonly name: keyof Writes
  readonly input: unknown
}
