// The writes of the store, as functions of the connection that writes: each decides and writes within the transaction of its group.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type ApiKey, canChange, hasEndedBefore } from '../../../domain/api-keys/api-key.js'
import type { ImportBatch, RecordDiffers } from '../../../domain/archive/archive-record.js'
import { decideImport } from '../../../domain/archive/decide-import.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import { decideAdd, type KeyTaken, type PetRecord } from '../../../domain/pets/decide-add.js'
import type { Pet, PetId } from '../../../domain/pets/pet.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import type { Connection } from '../file/connection.js'
import { findHolder, putHolder, removeExpired } from '../idempotency-keys.js'
import {
  apiKeyRow,
  apiKeyRows,
  decodeApiKey,
  findApiKey,
  findEvent,
  findRelay,
  highestId,
  insertPet,
  lastId,
  putApiKey,
} from '../records.js'
import { type PetValues, recordOf } from './pet-values.js'

type Result<A> = E.Either<Unavailable, A>

const refused = (reason: string): E.Either<Unavailable, never> => E.left(unavailable(new Error(reason)))

/** More than one, so that expired keys dwindle; few, so that no create waits for them. */
const REMOVED_PER_WRITE = 4

const addTo = (connection: Connection, record: PetRecord, last: bigint): Result<PetId | KeyTaken<Pet>> => {
  const { idempotencyKey } = record
  const holder = O.isNone(idempotencyKey) ? O.none : findHolder(connection, idempotencyKey.value)
  const decision = decideAdd(record, { lastId: last, holder })
  if (E.isLeft(decision)) return decision
  if (decision.right._tag === 'KeyTaken') {
    const { petId } = decision.right.by
    const held = findEvent(connection, petId)
    return E.isRight(held) && O.isSome(held.right)
      ? E.right({ _tag: 'KeyTaken', by: held.right.value.pet })
      : refused(`pet ${petId}, which holds the idempotency key, cannot be read`)
  }
  const { event } = decision.right
  insertPet(connection, event)
  if (O.isSome(idempotencyKey)) putHolder(connection, idempotencyKey.value, event.pet.id)
  return E.right(event.pet.id)
}

const changeKeyIn = (connection: Connection, id: string, change: ApiKeyChange): O.Option<ApiKey> => {
  const found = findApiKey(connection, id)
  if (E.isLeft(found) || O.isNone(found.right) || !canChange(found.right.value, change)) return O.none
  const changed = { ...found.right.value, ...change }
  putApiKey(connection, changed)
  return O.some(changed)
}

const addBatchTo = (connection: Connection, batch: ImportBatch): E.Either<RecordDiffers, readonly number[]> => {
  const added = decideImport(batch, {
    lastPet: highestId(connection),
    pet: (id) => findEvent(connection, id),
    apiKey: (id) => findApiKey(connection, id),
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
 * For one transaction of so many writes, in which nobody else writes. Plain values in and out, because they cross from one thread to another. A write that
 * fails has written nothing.
 */
export const makeWrites = (connection: Connection, size: number) => {
  // read once, not for each pet
  let last: bigint | undefined
  let hasRemoved = false

  /** Once, because a statement for each pet took 4 µs (measured). */
  const removeOnce = ({ event }: PetRecord): void => {
    if (!hasRemoved) removeExpired(connection, event.time, REMOVED_PER_WRITE * size)
    hasRemoved = true
  }

  return {
    /** The id that the pet got; or the holder of the key. */
    add: (values: PetValues): Result<PetId | KeyTaken<Pet>> => {
      last ??= lastId(connection)
      const record = recordOf(values)
      const added = addTo(connection, record, last)
      if (E.isRight(added) && typeof added.right === 'bigint') last = added.right
      if (O.isSome(record.idempotencyKey)) removeOnce(record)
      return added
    },
    addKey: (key: ApiKey): Result<void> => {
      if (apiKeyRow(connection, key.id) !== undefined) return refused(`key id ${key.id} is in use`)
      putApiKey(connection, key)
      return E.right(undefined)
    },
    // a damaged key is one too
    addFirstKey: (key: ApiKey): Result<boolean> => {
      const isFirst = connection.first('SELECT 1 FROM api_keys') === undefined
      if (isFirst) putApiKey(connection, key)
      return E.right(isFirst)
    },
    changeKey: ({ id, change }: { readonly id: string; readonly change: ApiKeyChange }): Result<O.Option<ApiKey>> =>
      E.right(changeKeyIn(connection, id, change)),
    removeEndedKeys: (before: Instant): Result<number> => {
      const keys = RA.rights(apiKeyRows(connection).map(decodeApiKey))
      const ended = keys.filter((key) => hasEndedBefore(key, before))
      for (const { id } of ended) connection.run('DELETE FROM api_keys WHERE id = ?', id)
      return E.right(ended.length)
    },
    saveRelay: (record: RelayRecord): Result<boolean> => {
      const stored = findRelay(connection)
      if (E.isLeft(stored)) return refused(stored.left)
      const version = O.isSome(stored.right) ? stored.right.value.version : 0
      if (record.version !== version + 1) return E.right(false)
      connection.run('UPDATE store SET relay = ?', JSON.stringify(RelayRecord.encode(record)))
      return E.right(true)
    },
    /** The places of the records that were added. */
    addBatch: (batch: ImportBatch): Result<E.Either<RecordDiffers, readonly number[]>> => {
      last = undefined
      return E.right(addBatchTo(connection, batch))
    },
  }
}

export type Writes = ReturnType<typeof makeWrites>
export type WriteName = keyof Writes
export type WriteInput<N extends WriteName> = Parameters<Writes[N]>[0]
export type WriteOutput<N extends WriteName> = ReturnType<Writes[N]> extends Result<infer A> ? A : never

/** One call of one of the writes. */
export type Write = { readonly [N in WriteName]: { readonly name: N; readonly input: WriteInput<N> } }[WriteName]
