// Every API key, and every idempotency key with its expiry.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeApiKey } from '../api-key-store.js'
import { findStoredKey, misheld, StoredIdempotencyKey } from '../tables/idempotency-key-table.js'
import { storedEvent } from '../tables/pet-table.js'
import type { ReadableTables } from '../tables/snapshot.js'
import { decodeStored } from '../tables/stored-json.js'
import type { Finding, Findings } from './findings.js'

/** Each API key can be decoded, and the store has its successor. */
export function* verifyApiKeys({ apiKeys }: ReadableTables): Findings {
  for (const { key: id, value } of apiKeys.getRange()) {
    const key = decodeApiKey(id, value)
    if (E.isLeft(key)) yield { record: 'API key', id, reason: key.left }
    else if (O.isSome(key.right.successor) && apiKeys.get(key.right.successor.value) === undefined) {
      yield { record: 'API key', id, reason: `its successor ${key.right.successor.value} is missing` }
    }
  }
}

const keyFinding = (lineage: string, key: string, reason: string): Finding => ({
  record: 'idempotency key',
  id: `${lineage} ${key}`,
  reason,
})

/** Each idempotency key can be decoded, belongs to its pet, and has its entry in the index `expiries`. */
export function* verifyIdempotencyKeys({ idempotencyKeys, expiries, pets }: ReadableTables): Findings {
  for (const { key, value } of idempotencyKeys.getRange()) {
    const [lineage = '', text = ''] = key
    const stored = decodeStored(StoredIdempotencyKey, value)
    if (E.isLeft(stored)) {
      yield keyFinding(lineage, text, stored.left)
      continue
    }
    const { petId, expiresAt } = stored.right
    const event = storedEvent({ pets }, petId)
    // `verifyPets` reports pets that cannot be decoded
    if (E.isRight(event)) {
      const reason = O.isNone(event.right) ? `its pet ${petId} is missing` : misheld(stored.right, event.right.value)
      if (reason !== undefined) yield keyFinding(lineage, text, reason)
    }
    if (expiries.get([expiresAt, lineage, text]) === undefined) {
      yield keyFinding(lineage, text, 'it has no entry in the index `expiries`, so it would never be removed')
    }
  }
}

/** Each entry of the index `expiries` belongs to an idempotency key. */
export function* verifyExpiries(tables: ReadableTables): Findings {
  for (const [expiresAt, lineage = '', key = ''] of tables.expiries.getKeys()) {
    const stored = findStoredKey(tables, { lineage: String(lineage), key: String(key) })
    const isItsOwn = E.isLeft(stored) || (O.isSome(stored.right) && stored.right.value.expiresAt === expiresAt)
    if (!isItsOwn)
      yield keyFinding(String(lineage), String(key), `stale entry at ${expiresAt} in the index \`expiries\``)
  }
}
