import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ApiKey } from '../domain/api-keys/api-key.js'
import type { Instant } from '../domain/codecs/scalar.js'
import type { Unavailable } from '../domain/errors.js'

/** The members of a key that may change. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'successor'>>

/** Stores API keys, without their texts. */
export interface ApiKeyStore {
  /** Adds a key. `Unavailable` if the id is in use. */
  readonly add: (key: ApiKey) => TaskEither<Unavailable, void>
  /** Adds the key if the store has none, and returns whether it did. Of concurrent callers, only one succeeds. */
  readonly addFirst: (key: ApiKey) => TaskEither<Unavailable, boolean>
  /** The key with this id, even if it is revoked or expired. */
  readonly find: (id: string) => TaskEither<Unavailable, Option<ApiKey>>
  /** Every key, oldest first (by creation, then by id). */
  readonly list: TaskEither<Unavailable, readonly ApiKey[]>
  /**
   * The key after the change, or none if there is no such key. Other members stay unchanged. A key gets at most one
   * successor, and none after revocation: other such changes return none and change nothing. Setting the same successor
   * again succeeds.
   * Need not be awaited: if the store is closed meanwhile, it first completes the change or returns `Unavailable`.
   */
  readonly change: (id: string, change: ApiKeyChange) => TaskEither<Unavailable, Option<ApiKey>>
  /** Removes every key that was revoked or expired before the instant, and returns how many. A damaged key may stay. */
  readonly removeEnded: (before: Instant) => TaskEither<Unavailable, number>
}
