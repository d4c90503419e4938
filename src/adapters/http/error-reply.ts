// Every failure as an answer in the contract's Error shape: the one place where failures meet status numbers.
import type { Failure } from '../../domain/errors.js'
import type { HttpFailure } from './http-failure.js'
import { type Endpoint, type HeaderFields, jsonReply, type Reply } from './messages/reply.js'

interface ErrorAnswer {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers?: HeaderFields
}

const bearer = (parameters = ''): HeaderFields => [['WWW-Authenticate', `Bearer realm="animal-store"${parameters}`]]

// without a default on purpose: a new failure does not compile until it has a status
const answerTo = (failure: Failure | HttpFailure, requestId: string): ErrorAnswer => {
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
        message: 'cursor must be one that this list gave, whole and with the same filter',
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
      return { status: 404, code: 'route_not_found', message: 'there is nothing at this path' }
    case 'MethodNotAllowed':
      return {
        status: 405,
        code: 'method_not_allowed',
        message: `this path answers ${failure.allow}`,
        headers: [['Allow', failure.allow]],
      }
    case 'RequestTimeout':
      return { status: 408, code: 'request_timeout', message: 'the request did not arrive in time' }
    case 'OperationRemoved':
      return {
        status: 410,
        code: 'operation_removed',
        message: 'this operation is gone; use GET /pets with an id or status filter',
      }
    case 'PayloadTooLarge':
      return { status: 413, code: 'payload_too_large', message: `the body may have ${failure.limit} bytes at most` }
    case 'UnsupportedMediaType':
      return {
        status: 415,
        code: 'unsupported_media_type',
        message: failure.reason,
        headers: [['Accept-Post', 'application/json']],
      }
    case 'ExpectationFailed':
      return { status: 417, code: 'expectation_failed', message: 'the only expectation met here is 100-continue' }
    case 'IdempotencyKeyReused':
      return {
        status: 422,
        code: 'idempotency_key_reused',
        message: 'this Idempotency-Key was used for another pet; use a new key for a new pet',
      }
    case 'HeadersTooLarge':
      return { status: 431, code: 'headers_too_large', message: 'the headers are too large or too many' }
    case 'Unavailable':
      return {
        status: 503,
        code: 'unavailable',
        message: `the service cannot answer now; try again later (request ${requestId})`,
        headers: [['Retry-After', '1']],
      }
  }
}

const toReply = ({ status, code, message, headers }: ErrorAnswer): Reply =>
  jsonReply(status, JSON.stringify({ code, message, status }), headers)

/** The answer to an expected failure. */
export const errorReply = (failure: Failure | HttpFailure, requestId: string): Reply =>
  failure._tag === 'Unavailable'
    ? { ...toReply(answerTo(failure, requestId)), cause: failure.cause }
    : toReply(answerTo(failure, requestId))

/** The answer to a defect: it tells nothing but where in the log to look. */
export const defectReply = (defect: unknown, requestId: string): Reply => ({
  ...toReply({
    status: 500,
    code: 'internal_error',
    message: `something went wrong inside (request ${requestId})`,
  }),
  cause: defect,
})

/** The endpoint; what it throws leaves as a mute 500. */
export const muted =
  (endpoint: Endpoint): Endpoint =>
  async (request) => {
    try {
      return await endpoint(request)
    } catch (defect) {
      return defectReply(defect, request.id)
    }
  }
