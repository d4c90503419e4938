// An API key as stored: its permissions, its lifetime, and the hash of its text.
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from './instant.js'
import { oneOf } from './one-of.js'

export const SCOPES = ['pets:read', 'pets:write', 'orders:read'] as const
export type Scope = (typeof SCOPES)[number]

/** A permission of an API key. */
export const Scope = oneOf('Scope', SCOPES)

export interface ApiKey {
  readonly id: string
  readonly name: O.Option<string>
  readonly scopes: readonly Scope[]
  /** SHA-256 of the whole key, in hexadecimal: the key has full entropy, so no slow hash is needed. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: O.Option<Instant>
  readonly revokedAt: O.Option<Instant>
  /** Coarse: at most an hour older than the last use. */
  readonly lastUsedAt: O.Option<Instant>
  /** The id of the key that replaces this one, once it is rotated. */
  readonly successor: O.Option<string>
  /** The id of the first key in its chain of rotations. Idempotency keys belong to the lineage. */
  readonly lineage: string
}

/** Compares by creation time, then by id. */
export const byAge = (one: ApiKey, other: ApiKey): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id))

/** Whether a key is neither revoked nor expired. A key is expired from `expiresAt` on. */
export const isLive = (key: ApiKey, now: Instant): boolean =>
  O.isNone(key.revokedAt) && (O.isNone(key.expiresAt) || now < key.expiresAt.value)

/** Milliseconds after which another use is recorded. */
const LAST_USED_GRAIN_MS = 3_600_000

/** Whether to record a use: the last recorded one is unknown or old. */
export const isUseWorthNoting = (key: ApiKey, now: Instant): boolean =>
  O.isNone(key.lastUsedAt) || now - key.lastUsedAt.value >= LAST_USED_GRAIN_MS
