// Which pet holds which idempotency key, and until when; the expired are removed a few at a time.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Instant } from '../../../domain/instant.js'
import { struct } from '../../../domain/struct.js'
import type { Idempotency, IdempotencyKey } from '../../../ports/pet-repository.js'
import { decodeStored, encodeStored, WholeNumber } from './stored-json.js'
import { NOTHING, type Tables } from './tables.js'

export const StoredRetry = struct('StoredRetry', { petId: WholeNumber, expiresAt: WholeNumber }, {})
export type StoredRetry = t.TypeOf<typeof StoredRetry>

/** More than one, so that the expired dwindle; few, so that no create waits for them. */
const REMOVED_AT_ONCE = 4

/** The record of a key, expired or not; the reason if it cannot be decoded. */
export const findRetry = (
  tables: Tables,
  { lineage, key }: IdempotencyKey,
): E.Either<string, O.Option<StoredRetry>> => {
  const bytes = tables.retries.get([lineage, key])
  if (bytes === undefined) return E.right(O.none)
  return E.bimap(
    (reason: string) => `the record of an idempotency key is damaged: ${reason}`,
    O.some<StoredRetry>,
  )(decodeStored(StoredRetry, bytes))
}

const removeExpired = (tables: Tables, now: Instant): void => {
  const expired = [...tables.expiries.getKeys({ start: [0], end: [now], limit: REMOVED_AT_ONCE })]
  for (const [expiresAt, lineage, key] of expired) {
    if (expiresAt === undefined || typeof lineage !== 'string' || typeof key !== 'string') continue
    tables.expiries.removeSync([expiresAt, lineage, key])
    tables.retries.removeSync([lineage, key])
  }
}

/** Writes down that the pet holds the key, in place of an expired holder. */
export const putRetry = (
  tables: Tables,
  { lineage, key, expiresAt }: Idempotency,
  petId: number,
  replaced: O.Option<StoredRetry>,
  now: Instant,
): void => {
  if (O.isSome(replaced)) tables.expiries.removeSync([replaced.value.expiresAt, lineage, key])
  removeExpired(tables, now)
  tables.retries.putSync([lineage, key], encodeStored(StoredRetry, { petId, expiresAt }))
  tables.expiries.putSync([expiresAt, lineage, key], NOTHING)
}
