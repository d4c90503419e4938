// The expected failures of the domain, as tagged records. Status codes are in adapters/http.
import type * as O from 'fp-ts/lib/Option.js'
import type { Fault } from './codecs/struct.js'

/** The input is out of bounds; lists every fault. */
export interface ValidationFailed {
  readonly _tag: 'ValidationFailed'
  readonly faults: readonly Fault[]
}

export interface PetNotFound {
  readonly _tag: 'PetNotFound'
}

/** The idempotency key was used for another NewPet. */
export interface IdempotencyKeyReused {
  readonly _tag: 'IdempotencyKeyReused'
}

/**
 * Why a key was refused. `malformed`: it does not have the form of a key; `mistyped`: its check does not match;
 * `unknown`: no key has this id.
 */
export type KeyFault = 'malformed' | 'mistyped' | 'unknown' | 'wrong_secret' | 'revoked' | 'expired'

/** The text is not a valid key. Reason and id are for the operator's log, never for a client (RFC 6750 §3.1). */
export interface InvalidApiKey {
  readonly _tag: 'InvalidApiKey'
  readonly reason: KeyFault
  /** The id in the text; none if it is malformed. */
  readonly keyId: O.Option<string>
}

/** No key has this id, or it is already revoked or expired. */
export interface ApiKeyNotFound {
  readonly _tag: 'ApiKeyNotFound'
  readonly id: string
}

/** The key was already rotated; rotate its successor instead. */
export interface ApiKeyReplaced {
  readonly _tag: 'ApiKeyReplaced'
  readonly id: string
  readonly successor: string
}

/** The only failure of a port. The cause is for the log, never for a client. */
export interface Unavailable {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

/** The failures of the use cases behind HTTP. */
export type Failure = ValidationFailed | PetNotFound | IdempotencyKeyReused | InvalidApiKey | Unavailable

export const unavailable = (cause: unknown): Unavailable => ({ _tag: 'Unavailable', cause })

/** An error because of a damaged record, which it holds as `damage`. */
export const damagedError = (message: string, damage: object) => Object.assign(new Error(message), { damage })
