// The writes of the store. Each one checks and writes within the transaction of its group.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { ApiKey, canChange, hasEndedBefore } from '../../../domain/api-keys/api-key.js'
import { decideRestore, type Restored } from '../../../domain/archive/decide-restore.js'
import type { Instant } from '../../../domain/codecs/scalar.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../../domain/pets/add-pet.js'
import { decideAdd, type HeldIdempotencyKey, type KeyTaken } from '../../../domain/pets/decide-add.js'
import type { PetId } from '../../../domain/pets/pet.js'
import type { ApiKeyStore } from '../../../ports/api-key-store.js'
import type { Connection } from '../file/connection.js'
import {
  apiKeys,
  decodeEvent,
  eventRows,
  findHolder,
  type Holder,
  lastId,
  loadRelay,
  type PetValues,
  recordOf,
} from '../records.js'

/** Expired keys removed per create: more than one, so that they dwindle; few, so that no create waits for them. */
const REMOVED_PER_WRITE = 4

const REMOVE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE (lineage, key) IN
    (SELECT lineage, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`

const INSERT_PET = 'INSERT INTO pets VALUES (?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?, ?)'

/** For one transaction of `size` writes. Inputs and results are plain values, because they cross threads. */
export const makeWrites = (connection: Connection, size: number) => {
  const { first, run } = connection
  // read once per transaction
  let last: bigint | undefined
  let hasRemoved = false

  const putPet = ({ pet, eventId, time, traceparent }: PetCreated): void => {
    const { id, name, categoryId, status } = pet
    run(INSERT_PET, id, Buffer.from(name), categoryId, status ?? null, Buffer.from(eventId), time, traceparent ?? null)
  }

  const putHolder = ({ lineage, key, expiresAt }: HeldIdempotencyKey, petId: bigint): void =>
    run('REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?)', lineage, key, petId, expiresAt)

  /** `INSERT` throws if the id is in use. */
  const putApiKey = (key: ApiKey, verb: 'INSERT' | 'REPLACE' = 'REPLACE'): void =>
    run(`${verb} INTO api_keys VALUES (?, ?)`, key.id, JSON.stringify(ApiKey.encode(key)))

  return {
    /** Returns the id of the new pet, or the pet that holds the idempotency key. */
    add: (values: PetValues): PetId | KeyTaken<Holder> => {
      last ??= lastId(connection)
      const record = recordOf(values)
      const key = O.toUndefined(record.idempotencyKey)
      const holder = key === undefined ? O.none : findHolder(connection, key)
      const decision = decideAdd(record, { lastId: last, holder })
      if (E.isLeft(decision)) throw decision.left.cause
      if (decision.right._tag === 'KeyTaken') return decision.right
      const { event } = decision.right
      putPet(event)
      last = event.pet.id
      if (key === undefined) return last
      putHolder(key, last)
      // once per transaction, because one statement per pet takes 4 µs (measured)
      if (!hasRemoved) run(REMOVE_EXPIRED, event.time - KEPT_AFTER_EXPIRY_MS, REMOVED_PER_WRITE * size)
      hasRemoved = true
      return last
    },
    addKey: (key: ApiKey): void => putApiKey(key, 'INSERT'),
    // a damaged key counts, too
    addFirstKey: (key: ApiKey): boolean => {
      const isFirst = first('SELECT 1 FROM api_keys') === undefined
      if (isFirst) putApiKey(key)
      return isFirst
    },
    changeKey: ([id, change]: Parameters<ApiKeyStore['change']>): O.Option<ApiKey> => {
      const [key] = RA.rights(apiKeys(connection, id))
      if (key === undefined || !canChange(key, change)) return O.none
      const changed = { ...key, ...change }
      putApiKey(changed)
      return O.some(changed)
    },
    removeEndedKeys: ([ids, before]: readonly [ids: readonly string[], before: Instant]): number => {
      // read again, because another process may have changed one meanwhile
      const found = ids.flatMap((id) => apiKeys(connection, id))
      const ended = RA.rights(found).filter((key) => hasEndedBefore(key, before))
      for (const { id } of ended) run('DELETE FROM api_keys WHERE id = ?', id)
      return ended.length
    },
    saveRelay: (record: RelayRecord): boolean => {
      const found = loadRelay(connection)
      if (record.version !== (O.isSome(found) ? found.value.version : 0) + 1) return false
      run('UPDATE store SET relay = ?', JSON.stringify(RelayRecord.encode(record)))
      return true
    },
    restore: (values: PetValues): Restored => {
      const { event, idempotencyKey } = recordOf(values)
      const restored = decideRestore(event, RA.head(eventRows(connection, 'id = ?', event.pet.id).map(decodeEvent)))
      if (restored !== 'added') return restored
      putPet(event)
      if (O.isSome(idempotencyKey)) putHolder(idempotencyKey.value, event.pet.id)
      last = undefined
      return restored
    },
    raiseLastId: (id: bigint): void => {
      run('UPDATE store SET last_id = max(last_id, ?)', id)
      last = undefined
    },
  }
}

export type Writes = ReturnType<typeof makeWrites>

export interface Write {
  readonly name: keyof Writes
  readonly input: unknown
}
