// Every failure that the domain expects: closed, tagged, and without status numbers, which belong to adapters/http.
import type { Scope } from './api-key.js'
import type { Fault } from './struct.js'

/** The input is no NewPet; every fault is named. */
export interface ValidationFailed {
  readonly _tag: 'ValidationFailed'
  readonly faults: readonly Fault[]
}

/** No pet has the id that was asked for. */
export interface PetNotFound {
  readonly _tag: 'PetNotFound'
}

/** The idempotency key was used for another NewPet. */
export interface IdempotencyKeyReused {
  readonly _tag: 'IdempotencyKeyReused'
}

/** Not one good key: malformed, unknown, expired or revoked; which of them is nobody's business. */
export interface InvalidApiKey {
  readonly _tag: 'InvalidApiKey'
}

/** The key is good, but not for this. */
export interface InsufficientScope {
  readonly _tag: 'InsufficientScope'
  readonly required: Scope
}

/** No key has this id, or it is revoked or expired already. */
export interface ApiKeyNotFound {
  readonly _tag: 'ApiKeyNotFound'
  readonly id: string
}

/** The key is rotated already: the next one to rotate is its successor. */
export interface ApiKeyReplaced {
  readonly _tag: 'ApiKeyReplaced'
  readonly id: string
  readonly successor: string
}

/** The one failure that a port may report; the cause is for the log, never for a client. */
export interface Unavailable {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

/** What the use cases behind HTTP can answer instead of a result. */
export type Failure =
  | ValidationFailed
  | PetNotFound
  | IdempotencyKeyReused
  | InvalidApiKey
  | InsufficientScope
  | Unavailable

/**
 * The failure of a port, with its cause for the log.
 *
 * @example
 * unavailable('disk full') // => { _tag: 'Unavailable', cause: 'disk full' }
 */
export const unavailable = (cause: unknown): Unavailable => ({ _tag: 'Unavailable', cause })
