// The result of every call and its errors: the codes of the service, and failures without a response of the service.

/** The codes of docs/errors.md; a test compares them with openapi.yaml. */
export const ERROR_CODES = [
  'malformed_json',
  'validation_failed',
  'invalid_parameter',
  'invalid_cursor',
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'pet_not_found',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'operation_removed',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export interface Replied {
  readonly status: number
  /** `X-Request-Id`, which identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** `Retry-After` in milliseconds, at most an hour. */
  readonly retryAfterMs: number | undefined
}

export interface Fault {
  /** A JSON pointer (RFC 6901) into the NewPet, such as `/name`. */
  readonly pointer: string
  readonly reason: string
}

interface Described<Tag extends string> {
  readonly _tag: Tag
  readonly message: string
}

export type ValidationFailed = Replied & Described<'validation_failed'> & { readonly faults: readonly Fault[] }

/** An error of the service. Each code is a tag. */
export type ServiceError = {
  readonly [Code in ErrorCode]: Code extends 'validation_failed' ? ValidationFailed : Replied & Described<Code>
}[ErrorCode]

export type ClientError =
  | ServiceError
  /** A code that is newer than this client. Decide by `status`. */
  | (Replied & Described<'unknown_code'> & { readonly code: string })
  /** Not a valid response of the service; perhaps of a proxy. */
  | (Replied & Described<'unexpected_reply'>)
  /** No response: refused, reset, interrupted, unknown host or, in a browser, no CORS permission. */
  | (Described<'network'> & { readonly cause: unknown })
  /** No complete response in time. */
  | (Described<'timeout'> & { readonly timeoutMs: number })
  /** The caller's AbortSignal. */
  | (Described<'aborted'> & { readonly cause: unknown })
  /** HTTP cannot express the request, for example a header with characters outside Latin-1. It was not sent. */
  | Described<'invalid_request'>

export type Result<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: ClientError }

/** Thrown by `orThrow`; `error` is the tagged error. */
export class ClientFailure extends Error {
  readonly error: ClientError

  constructor(error: ClientError) {
    super(`${error._tag}: ${error.message}`, { cause: error })
    this.name = 'ClientFailure'
    this.error = error
  }
}

/** For callers who prefer exceptions: returns the value, or throws the error as a `ClientFailure`. */
export const orThrow = <A>(result: Result<A>): A => {
  if (result.ok) return result.value
  throw new ClientFailure(result.error)
}
