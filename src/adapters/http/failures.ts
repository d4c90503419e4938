// Every failure of an endpoint, with its code, its status and its reply in the Error shape of openapi.yaml.
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../domain/api-keys/api-key.js'
import { withoutSecrets } from '../../domain/api-keys/api-key-text.js'
import type { Failure } from '../../domain/errors.js'
import type { MalformedJson } from '../../domain/json/parse-json.js'
import { type RateState, rateLimitFields } from './access/rate-limit.js'
import type { HeaderFields, TextReply } from './messages/message.js'

/** Failures specific to HTTP. */
export type HttpFailure =
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | MalformedJson
  | { readonly _tag: 'InvalidParameter'; readonly reason: string }
  | { readonly _tag: 'InvalidCursor' }
  | { readonly _tag: 'MissingApiKey' }
  /** The key is valid, but lacks the scope of the route. */
  | { readonly _tag: 'InsufficientScope'; readonly required: Scope }
  | { readonly _tag: 'RouteNotFound'; readonly hasPages: boolean }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'OperationRemoved' }
  /** A condition of the request does not hold. */
  | { readonly _tag: 'PreconditionFailed'; readonly reason: string }
  | { readonly _tag: 'PayloadTooLarge'; readonly maxBytes: number }
  | { readonly _tag: 'UnsupportedMediaType'; readonly reason: string }
  | { readonly _tag: 'ExpectationFailed' }
  | { readonly _tag: 'RateLimited'; readonly state: RateState }
  | { readonly _tag: 'HeadersTooLarge' }
  /** More requests are in flight than this process accepts. */
  | { readonly _tag: 'Overloaded' }
  /** The maximum number of streams is open. */
  | { readonly _tag: 'TooManyStreams' }
  /** The process is stopping; only the readiness probe reports it. */
  | { readonly _tag: 'Stopping' }

export const badRequest = (reason: string): HttpFailure => ({ _tag: 'BadRequest', reason })

/** An unexpected exception. */
export interface Defect {
  readonly _tag: 'Defect'
  readonly cause: unknown
}

/** Every failure of an endpoint. */
export type AnyFailure = Failure | HttpFailure | Defect

/** The status of each code. A test fails until docs/errors.md explains a new one. Codes are never renamed. */
export const STATUS_OF = {
  malformed_json: 400,
  validation_failed: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  bad_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  operation_removed: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof STATUS_OF

interface ErrorShape {
  readonly code: ErrorCode
  readonly message: string
  readonly headers: HeaderFields
}

const error = (code: ErrorCode, message: string, headers: HeaderFields = []): ErrorShape => ({ code, message, headers })

const bearer = (parameters = ''): HeaderFields => [['WWW-Authenticate', `Bearer realm="animal-store"${parameters}`]]

/** 1 to 3 seconds, derived from the request id, so that refused clients do not all return at once. */
const retryAfter = (requestId: string): HeaderFields => {
  let sum = 0
  for (let at = 0; at < requestId.length; at += 1) sum += requestId.charCodeAt(at)
  return [['Retry-After', String(1 + (sum % 3))]]
}

const unavailable = (message: string, requestId: string): ErrorShape =>
  error('unavailable', `${message} (request ${requestId})`, retryAfter(requestId))

// no default case, so that a new failure does not compile until it has a code
const shapeOf = (failure: AnyFailure, requestId: string): ErrorShape => {
  switch (failure._tag) {
    case 'BadRequest':
      return error('bad_request', failure.reason)
    case 'MalformedJson':
      return error('malformed_json', withoutSecrets(`the body is not acceptable JSON: ${failure.reason}`))
    case 'ValidationFailed': {
      const faults = failure.faults.map(({ pointer, reason }) => `${pointer || 'the whole body'}: ${reason}`)
      return error('validation_failed', faults.join('; '))
    }
    case 'InvalidParameter':
      return error('invalid_parameter', withoutSecrets(failure.reason))
    case 'InvalidCursor':
      return error('invalid_cursor', 'cursor must be one that this list issued, unchanged and with the same filter')
    case 'MissingApiKey':
      return error('missing_api_key', 'send an API key as "Authorization: Bearer <API_KEY>"', bearer())
    case 'InvalidApiKey':
      return error('invalid_api_key', 'the API key is not valid', bearer(', error="invalid_token"'))
    case 'InsufficientScope':
      return error(
        'insufficient_scope',
        `the API key lacks the scope ${failure.required}`,
        bearer(`, error="insufficient_scope", scope="${failure.required}"`),
      )
    case 'PetNotFound':
      return error('pet_not_found', 'there is no pet with this id')
    case 'RouteNotFound':
      return error('route_not_found', `no such path${failure.hasPages ? '; the documentation is at /docs' : ''}`)
    case 'MethodNotAllowed':
      return error('method_not_allowed', `this path supports ${failure.allow}`, [['Allow', failure.allow]])
    case 'RequestTimeout':
      return error('request_timeout', 'the request did not arrive in time')
    case 'OperationRemoved':
      return error('operation_removed', 'this operation has been removed; use GET /pets with an id or status filter')
    case 'PreconditionFailed':
      return error('precondition_failed', failure.reason)
    case 'PayloadTooLarge':
      return error('payload_too_large', `the body must not exceed ${failure.maxBytes} bytes`)
    case 'UnsupportedMediaType':
      return error('unsupported_media_type', failure.reason, [['Accept-Post', 'application/json']])
    case 'ExpectationFailed':
      return error('expectation_failed', 'the only expectation supported is 100-continue')
    case 'IdempotencyKeyReused':
      return error(
        'idempotency_key_reused',
        'this Idempotency-Key was used for another pet; use a new key for a new pet',
      )
    case 'RateLimited':
      return error('rate_limited', `too many requests; retry in ${failure.state.resetsInSeconds} s`, [
        ['Retry-After', String(failure.state.resetsInSeconds)],
        ...rateLimitFields(failure.state),
      ])
    case 'HeadersTooLarge':
      return error('headers_too_large', 'the headers are too large or too many')
    case 'Defect':
      return error('internal_error', `internal error (request ${requestId})`)
    case 'Unavailable':
      return unavailable('the service is temporarily unavailable; retry later', requestId)
    case 'Overloaded':
    case 'TooManyStreams':
      return unavailable('the service is overloaded; retry later', requestId)
    case 'Stopping':
      return unavailable('the service is stopping', requestId)
  }
}

/** The reply to a failure. For a defect or an outage it contains only the request id, to find the cause in the log. */
type MakeErrorReply = (failure: AnyFailure, requestId: string, prefix?: string) => TextReply

/** Links to the section of the code; for an unknown path, also to the documentation (RFC 8631). */
const linkOf = (code: ErrorCode, root: string): string => {
  const help = `<${root}/docs/errors#${code}>; rel="help"`
  return code === 'route_not_found' ? `${help}, <${root}/docs>; rel="service-doc"` : help
}

/**
 * Makes replies with a `Link` to the page that explains their code, if the service has pages. Without `publicUrl`, the
 * link is an absolute path that begins with the mount prefix.
 */
export const makeErrorReply = (publicUrl: string | undefined, hasPages: boolean): MakeErrorReply => {
  const publicRoot = publicUrl?.slice(0, -'/v1'.length)
  const headersOf = (code: ErrorCode, root: string): HeaderFields => {
    const type = ['Content-Type', 'application/json'] as const
    return hasPages ? [type, ['Link', linkOf(code, root)]] : [type]
  }
  const make: MakeErrorReply = (failure, requestId, prefix = '') => {
    const { code, message, headers } = shapeOf(failure, requestId)
    const status = STATUS_OF[code]
    const body = JSON.stringify({ code, message, status })
    const detail = failure._tag === 'Overloaded' ? 'shed' : undefined
    return { status, headers: [...headersOf(code, publicRoot ?? prefix), ...headers], body, code, detail }
  }
  // made once, because it is constant and anyone can request it without limit
  const invalidKey = make({ _tag: 'InvalidApiKey', reason: 'malformed', keyId: O.none }, '')
  return (failure, requestId, prefix = '') =>
    failure._tag === 'InvalidApiKey' && prefix === '' ? invalidKey : make(failure, requestId, prefix)
}
