// The result of every call. Promises of the client never reject for an expected failure.
import type { ClientError } from './client-error.js'

export type Result<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: ClientError }

export const succeeded = <A>(value: A): Result<A> => ({ ok: true, value })
export const failed = (error: ClientError): Result<never> => ({ ok: false, error })

/** Thrown by `orThrow`; `error` is the tagged error. */
export class ClientFailure extends Error {
  readonly error: ClientError

  constructor(error: ClientError) {
    super(`${error._tag}: ${error.message}`, { cause: error })
    this.name = 'ClientFailure'
    this.error = error
  }
}

/**
 * The value of a result, for callers who prefer exceptions. Throws an error as a `ClientFailure`.
 *
 * @example
 * orThrow({ ok: true, value: 7 }) // => 7
 */
export const orThrow = <A>(result: Result<A>): A => {
  if (result.ok) return result.value
  throw new ClientFailure(result.error)
}
