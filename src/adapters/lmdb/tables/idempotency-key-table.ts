// Which pet holds which idempotency key, and until when. Keys that expired long ago are removed a few at a time.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Stored } from '../../../domain/archive/decide-import.js'
import { Count, Text } from '../../../domain/codecs/guarded.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { struct } from '../../../domain/codecs/struct.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { IDEMPOTENCY_RETENTION_MS, KEPT_AFTER_EXPIRY_MS } from '../../../domain/pets/add-pet.js'
import type { HeldIdempotencyKey, Hold, IdempotencyKey } from '../../../domain/pets/decide-add.js'
import { decodeStored, encodeStored, storedAs } from './stored-json.js'
import { KEY_ONLY, type ReadableTables, type Tables } from './tables.js'

/** Records of earlier versions do not name the event of their pet. */
export const StoredIdempotencyKey = struct(
  'StoredIdempotencyKey',
  { petId: Count, expiresAt: Count },
  { eventId: Text },
)
export type StoredIdempotencyKey = t.TypeOf<typeof StoredIdempotencyKey>

/** More than one, so that expired keys dwindle; few, so that no create waits for them. */
const REMOVED_AT_ONCE = 4

/** The record of a key, expired or not, or the reason why it cannot be decoded. */
export const findStoredKey = (
  tables: Pick<ReadableTables, 'idempotencyKeys'>,
  { lineage, key }: IdempotencyKey,
): Stored<StoredIdempotencyKey> =>
  E.mapLeft((reason: string) => `the record of an idempotency key is damaged: ${reason}`)(
    storedAs(tables.idempotencyKeys.get([lineage, key]), (bytes) => decodeStored(StoredIdempotencyKey, bytes)),
  )

const removeExpired = (tables: Tables, now: Instant): void => {
  const end = [now - KEPT_AFTER_EXPIRY_MS]
  const expired = [...tables.expiries.getKeys({ start: [0], end, limit: REMOVED_AT_ONCE })]
  for (const [expiresAt, lineage, key] of expired) {
    if (expiresAt === undefined || typeof lineage !== 'string' || typeof key !== 'string') continue
    tables.expiries.removeSync([expiresAt, lineage, key])
    tables.idempotencyKeys.removeSync([lineage, key])
  }
}

/** Records that the pet holds the key, in place of an expired holder. */
export const putStoredKey = (
  tables: Tables,
  { lineage, key, expiresAt }: HeldIdempotencyKey,
  { petId, eventId }: { readonly petId: bigint; readonly eventId: string },
  replaced: O.Option<Hold>,
  now: Instant,
): void => {
  if (O.isSome(replaced)) tables.expiries.removeSync([replaced.value.expiresAt, lineage, key])
  removeExpired(tables, now)
  tables.idempotencyKeys.putSync(
    [lineage, key],
    encodeStored(StoredIdempotencyKey, { petId: Number(petId), expiresAt, eventId }),
  )
  tables.expiries.putSync([expiresAt, lineage, key], KEY_ONLY)
}

/**
 * Why a key does not belong to the pet that it names. Earlier versions gave the keys of pets that an import refused to others with the
 * same ids; a record of theirs can be judged by its expiry.
 */
export const misheld = (key: StoredIdempotencyKey, { pet, eventId, time }: PetCreated): string | undefined => {
  const isItsOwn =
    key.eventId === undefined ? key.expiresAt === time + IDEMPOTENCY_RETENTION_MS : key.eventId === eventId
  if (isItsOwn) return undefined
  return key.eventId === undefined
    ? `it does not expire a day after pet ${pet.id} was added, so it may be the key of another pet`
    : `it belongs to the event ${key.eventId}, not to that of pet ${pet.id}`
}
