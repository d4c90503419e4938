// Every failure as a reply in the Error shape of openapi.yaml: the one place where failures meet status numbers.
import type { Failure } from '../../domain/errors.js'
import type { HttpFailure } from './http-failure.js'
import { type HeaderFields, jsonReply, type Reply } from './messages/reply.js'
import { rateLimitFields } from './rate-limit.js'

/** Something was thrown that nobody expected. */
export interface Defect {
  readonly _tag: 'Defect'
  readonly cause: unknown
}

export type AnyFailure = Failure | HttpFailure | Defect

interface ErrorShape {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers?: HeaderFields
}

const bearer = (parameters = ''): HeaderFields => [['WWW-Authenticate', `Bearer realm="animal-store"${parameters}`]]

/** 1 to 3 seconds, by the request's random id, so that refused clients do not all return at once. */
const retryAfter = (requestId: string): HeaderFields => {
  let sum = 0
  for (let at = 0; at < requestId.length; at += 1) sum += requestId.charCodeAt(at)
  return [['Retry-After', String(1 + (sum % 3))]]
}

const unavailable = (message: string, requestId: string): ErrorShape => ({
  status: 503,
  code: 'unavailable',
  message: `${message} (request ${requestId})`,
  headers: retryAfter(requestId),
})

// without a default on purpose: a new failure does not compile until it has a status
const shapeOf = (failure: AnyFailure, requestId: string): ErrorShape => {
  switch (failure._tag) {
    case 'BadRequest':
      return { status: 400, code: 'bad_request', message: failure.reason }
    case 'MalformedJson':
      return { status: 400, code: 'malformed_json', message: `the body is not acceptable JSON: ${failure.reason}` }
    case 'ValidationFailed': {
      const faults = failure.faults.map(({ pointer, reason }) => `${pointer || 'the whole body'}: ${reason}`)
      return { status: 400, code: 'validation_failed', message: faults.join('; ') }
    }
    case 'InvalidParameter':
      return { status: 400, code: 'invalid_parameter', message: failure.reason }
    case 'InvalidCursor':
      return {
        status: 400,
        code: 'invalid_cursor',
        message: 'cursor must be one that this list gave, unchanged and with the same filter',
      }
    case 'MissingApiKey':
      return {
        status: 401,
        code: 'missing_api_key',
        message: 'send an API key as "Authorization: Bearer <API_KEY>"',
        headers: bearer(),
      }
    case 'InvalidApiKey':
      return {
        status: 401,
        code: 'invalid_api_key',
        message: 'the API key is not valid',
        headers: bearer(', error="invalid_token"'),
      }
    case 'InsufficientScope':
      return {
        status: 403,
        code: 'insufficient_scope',
        message: `the API key lacks the scope ${failure.required}`,
        headers: bearer(`, error="insufficient_scope", scope="${failure.required}"`),
      }
    case 'PetNotFound':
      return { status: 404, code: 'pet_not_found', message: 'there is no pet with this id' }
    case 'RouteNotFound':
      return { status: 404, code: 'route_not_found', message: 'no such path' }
    case 'MethodNotAllowed':
      return {
        status: 405,
        code: 'method_not_allowed',
        message: `this path supports ${failure.allow}`,
        headers: [['Allow', failure.allow]],
      }
    case 'RequestTimeout':
      return { status: 408, code: 'request_timeout', message: 'the request did not arrive in time' }
    case 'OperationRemoved':
      return {
        status: 410,
        code: 'operation_removed',
        message: 'this operation has been removed; use GET /pets with an id or status filter',
      }
    case 'PayloadTooLarge':
      return {
        status: 413,
        code: 'payload_too_large',
        message: `the body must not exceed ${failure.maxBytes} bytes`,
      }
    case 'UnsupportedMediaType':
      return {
        status: 415,
        code: 'unsupported_media_type',
        message: failure.reason,
        headers: [['Accept-Post', 'application/json']],
      }
    case 'ExpectationFailed':
      return { status: 417, code: 'expectation_failed', message: 'the only expectation supported is 100-continue' }
    case 'IdempotencyKeyReused':
      return {
        status: 422,
        code: 'idempotency_key_reused',
        message: 'this Idempotency-Key was used for another pet; use a new key for a new pet',
      }
    case 'RateLimited':
      return {
        status: 429,
        code: 'rate_limited',
        message: `too many requests; retry in ${failure.state.resetsInSeconds} s`,
        headers: [['Retry-After', String(failure.state.resetsInSeconds)], ...rateLimitFields(failure.state)],
      }
    case 'HeadersTooLarge':
      return { status: 431, code: 'headers_too_large', message: 'the headers are too large or too many' }
    case 'Defect':
      return { status: 500, code: 'internal_error', message: `internal error (request ${requestId})` }
    case 'Unavailable':
      return unavailable('the service is temporarily unavailable; retry later', requestId)
    case 'Overloaded':
      return unavailable('the service is overloaded; retry later', requestId)
    case 'Stopping':
      return unavailable('the service is stopping', requestId)
  }
}

/** The reply to a failure. Of a defect or an outage it says nothing but the request id, to be looked up in the log. */
export const errorReply = (failure: AnyFailure, requestId: string): Reply => {
  const { status, code, message, headers } = shapeOf(failure, requestId)
  return jsonReply(status, JSON.stringify({ code, message, status }), headers, code)
}
