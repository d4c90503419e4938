// Which pet holds the idempotency key of which caller.
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../../domain/codecs/instant.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../domain/pets/add-pet.js'
import type { HeldIdempotencyKey, Hold, IdempotencyKey } from '../../domain/pets/decide-add.js'
import type { Connection, Sql } from './file/connection.js'

export interface KeyHolder extends Hold {
  readonly petId: bigint
}

/** The latest holder of a key, expired or not. */
export const findHolder = (connection: Connection, { lineage, key }: IdempotencyKey): O.Option<KeyHolder> => {
  const sql: Sql<[bigint, bigint]> = 'SELECT pet_id, expires_at FROM idempotency_keys WHERE lineage = ? AND key = ?'
  const row = connection.first(sql, lineage, key)
  return row === undefined ? O.none : O.some({ petId: row[0], expiresAt: Number(row[1]) })
}

export const putHolder = (
  connection: Connection,
  { lineage, key, expiresAt }: HeldIdempotencyKey,
  petId: bigint,
): void => connection.run('REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?)', lineage, key, petId, expiresAt)

const REMOVE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE (lineage, key) IN
    (SELECT lineage, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`

/** Removes at most so many of those that expired more than a day ago. */
export const removeExpired = (connection: Connection, now: Instant, limit: number): void =>
  connection.run(REMOVE_EXPIRED, now - KEPT_AFTER_EXPIRY_MS, limit)
