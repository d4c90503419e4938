import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ApiKey } from '../domain/api-key.js'
import type { Unavailable } from '../domain/errors.js'

/** What may change in the life of a key. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'successor'>>

/** Keeps API keys, without their texts. */
export interface ApiKeyStore {
  /** Adds a key; an id that is in use: `Unavailable`. */
  readonly add: (key: ApiKey) => TaskEither<Unavailable, void>
  /** The key of this id, revoked or expired ones too. */
  readonly find: (id: string) => TaskEither<Unavailable, Option<ApiKey>>
  /** Every key, oldest first (by creation, then by id). */
  readonly list: TaskEither<Unavailable, readonly ApiKey[]>
  /**
   * The key after the change, or none if there is no such key; members that are not named stay as they are.
   * A caller need not wait: a store that is closed meanwhile ends the change first or answers `Unavailable`.
   */
  readonly change: (id: string, change: ApiKeyChange) => TaskEither<Unavailable, Option<ApiKey>>
}
