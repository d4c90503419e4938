// An API key as stored: its permissions, its lifetime, and the hash of its text.
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { Instant, oneOf, Text } from '../codecs/scalar.js'
import { struct } from '../codecs/struct.js'

export const SCOPES = ['pets:read', 'pets:write', 'orders:read', 'events:read'] as const
export type Scope = (typeof SCOPES)[number]

export const Scope = oneOf('Scope', SCOPES)

export interface ApiKey {
  readonly id: string
  readonly name: O.Option<string>
  readonly scopes: readonly Scope[]
  /** SHA-256 of the whole key, in hexadecimal. No slow hash is needed, because the key has full entropy. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: O.Option<Instant>
  readonly revokedAt: O.Option<Instant>
  /** May lag the last use by up to an hour. */
  readonly lastUsedAt: O.Option<Instant>
  /** The id of the key that replaces this one, once it is rotated. */
  readonly successor: O.Option<string>
  /** The id of the first key in its chain of rotations. Idempotency keys belong to the lineage. */
  readonly lineage: string
}

/** The codec of a stored key. `instant`: how times are stored. Absent members are left out. */
export const apiKeyCodec = <I>(name: string, instant: t.Type<Instant, I, unknown>) =>
  struct(
    name,
    { id: Text, scopes: t.readonlyArray(Scope), hash: Text, createdAt: instant, lineage: Text },
    {},
    { name: Text, expiresAt: instant, revokedAt: instant, lastUsedAt: instant, successor: Text },
  )

/** A key as plain data: times in milliseconds, absent members left out. */
export const ApiKey = apiKeyCodec('ApiKey', Instant)

export const byAge = (one: ApiKey, other: ApiKey): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id))

/** A key gets at most one successor, and none after revocation. Stores check this in the transaction of the change. */
export const canChange = (
  { successor, revokedAt }: ApiKey,
  change: { readonly successor?: O.Option<string> | undefined },
): boolean => {
  if (change.successor === undefined || O.isNone(change.successor)) return true
  return O.isSome(successor) ? successor.value === change.successor.value : O.isNone(revokedAt)
}

/** Whether a key is neither revoked nor expired. A key is expired from `expiresAt` on. */
export const isLive = (key: ApiKey, now: Instant): boolean =>
  O.isNone(key.revokedAt) && (O.isNone(key.expiresAt) || now < key.expiresAt.value)

export const hasEndedBefore = ({ revokedAt, expiresAt }: ApiKey, instant: Instant): boolean =>
  [revokedAt, expiresAt].some((end) => O.isSome(end) && end.value < instant)

/** Minimum time between recorded uses. */
const LAST_USED_GRAIN_MS = 3_600_000

export const shouldRecordUse = (key: ApiKey, now: Instant): boolean =>
  O.isNone(key.lastUsedAt) || now - key.lastUsedAt.value >= LAST_USED_GRAIN_MS
