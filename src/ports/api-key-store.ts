import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ApiKey } from '../domain/api-keys/api-key.js'
import type { Instant } from '../domain/codecs/scalar.js'
import type { Unavailable } from '../domain/errors.js'

/** The members of a key that may change. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'successor'>>

/** Stores API keys, without their texts. */
export interface ApiKeyStore {
  /** Adds a key. An id that is in use is `Unavailable`. */
  readonly add: (key: ApiKey) => TaskEither<Unavailable, void>
  /** Adds the key if the store has none, and returns whether it did. Of several callers at once, one adds its key. */
  readonly addFirst: (key: ApiKey) => TaskEither<Unavailable, boolean>
  /** The key with this id, even if it is revoked or expired. */
  readonly find: (id: string) => TaskEither<Unavailable, Option<ApiKey>>
  /** Every key, oldest first (by creation, then by id). */
  readonly list: TaskEither<Unavailable, readonly ApiKey[]>
  /**
   * The key after the change, or none if there is no such key. Other members stay unchanged. A key gets at most one successor,
   * and none after revocation: any other such change is refused, returns none and changes nothing. Setting the same successor
   * again succeeds.
   * A caller need not wait: a store that is closed meanwhile completes the change first or returns `Unavailable`.
   */
  readonly change: (id: string, change: ApiKeyChange) => TaskEither<Unavailable, Option<ApiKey>>
  /** Removes every key that was revoked or expired before the instant, and returns how many. A damaged key may stay. */
  readonly removeEnded: (before: Instant) => TaskEither<Unavailable, number>
}
