// Every failure as a reply in the Error shape of openapi.yaml: the one place where failures meet codes and statuses.
import { withoutSecrets } from '../../domain/api-keys/api-key-text.js'
import { rateLimitFields } from './access/rate-limit.js'
import { ERROR_CODES, ERROR_HELP, type ErrorCode } from './error-codes.js'
import type { AnyFailure } from './http-failure.js'
import type { HeaderFields, Reply } from './messages/message.js'

interface ErrorShape {
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: HeaderFields
}

const bearer = (parameters = ''): HeaderFields => [['WWW-Authenticate', `Bearer realm="animal-store"${parameters}`]]

/** 1 to 3 seconds, derived from the request id, so that refused clients do not all return at once. */
const retryAfter = (requestId: string): HeaderFields => {
  let sum = 0
  for (let at = 0; at < requestId.length; at += 1) sum += requestId.charCodeAt(at)
  return [['Retry-After', String(1 + (sum % 3))]]
}

const unavailable = (message: string, requestId: string): ErrorShape => ({
  code: 'unavailable',
  message: `${message} (request ${requestId})`,
  headers: retryAfter(requestId),
})

// without a default on purpose: a new failure does not compile until it has a code, which has a status
const shapeOf = (failure: AnyFailure, requestId: string): ErrorShape => {
  switch (failure._tag) {
    case 'BadRequest':
      return { code: 'bad_request', message: failure.reason }
    case 'MalformedJson':
      return { code: 'malformed_json', message: withoutSecrets(`the body is not acceptable JSON: ${failure.reason}`) }
    case 'ValidationFailed': {
      const faults = failure.faults.map(({ pointer, reason }) => `${pointer || 'the whole body'}: ${reason}`)
      return { code: 'validation_failed', message: faults.join('; ') }
    }
    case 'InvalidParameter':
      return { code: 'invalid_parameter', message: withoutSecrets(failure.reason) }
    case 'InvalidCursor':
      return {
        code: 'invalid_cursor',
        message: 'cursor must be one that this list issued, unchanged and with the same filter',
      }
    case 'MissingApiKey':
      return {
        code: 'missing_api_key',
        message: 'send an API key as "Authorization: Bearer <API_KEY>"',
        headers: bearer(),
      }
    case 'InvalidApiKey':
      return {
        code: 'invalid_api_key',
        message: 'the API key is not valid',
        headers: bearer(', error="invalid_token"'),
      }
    case 'InsufficientScope':
      return {
        code: 'insufficient_scope',
        message: `the API key lacks the scope ${failure.required}`,
        headers: bearer(`, error="insufficient_scope", scope="${failure.required}"`),
      }
    case 'PetNotFound':
      return { code: 'pet_not_found', message: 'there is no pet with this id' }
    case 'RouteNotFound':
      return { code: 'route_not_found', message: 'no such path; the documentation is at /docs' }
    case 'MethodNotAllowed':
      return {
        code: 'method_not_allowed',
        message: `this path supports ${failure.allow}`,
        headers: [['Allow', failure.allow]],
      }
    case 'RequestTimeout':
      return { code: 'request_timeout', message: 'the request did not arrive in time' }
    case 'OperationRemoved':
      return {
        code: 'operation_removed',
        message: 'this operation has been removed; use GET /pets with an id or status filter',
      }
    case 'PreconditionFailed':
      return { code: 'precondition_failed', message: 'the ETag of the response is none of those in If-Match' }
    case 'PayloadTooLarge':
      return {
        code: 'payload_too_large',
        message: `the body must not exceed ${failure.maxBytes} bytes`,
      }
    case 'UnsupportedMediaType':
      return {
        code: 'unsupported_media_type',
        message: failure.reason,
        headers: [['Accept-Post', 'application/json']],
      }
    case 'ExpectationFailed':
      return { code: 'expectation_failed', message: 'the only expectation supported is 100-continue' }
    case 'IdempotencyKeyReused':
      return {
        code: 'idempotency_key_reused',
        message: 'this Idempotency-Key was used for another pet; use a new key for a new pet',
      }
    case 'RateLimited':
      return {
        code: 'rate_limited',
        message: `too many requests; retry in ${failure.state.resetsInSeconds} s`,
        headers: [['Retry-After', String(failure.state.resetsInSeconds)], ...rateLimitFields(failure.state)],
      }
    case 'HeadersTooLarge':
      return { code: 'headers_too_large', message: 'the headers are too large or too many' }
    case 'Defect':
      return { code: 'internal_error', message: `internal error (request ${requestId})` }
    case 'Unavailable':
      return unavailable('the service is temporarily unavailable; retry later', requestId)
    case 'Overloaded':
      return unavailable('the service is overloaded; retry later', requestId)
    case 'Stopping':
      return unavailable('the service is stopping', requestId)
  }
}

/** The reply to a failure. For a defect or an outage it contains only the request id, which identifies the cause in the log. */
export type ErrorReply = (failure: AnyFailure, requestId: string) => Reply

/** Links to the section of the code; for an unknown path, also to the documentation (RFC 8631). */
const linkOf = (code: ErrorCode, root: string): string => {
  const help = `<${root}/docs/errors#${code}>; rel="help"`
  return code === 'route_not_found' ? `${help}, <${root}/docs>; rel="service-doc"` : help
}

/**
 * Makes replies whose `Link` leads to the page that explains their code. `publicUrl` ends with `/v1`; without it, the link is a
 * path from the root of the requested host.
 */
export const makeErrorReply = (publicUrl: string | undefined): ErrorReply => {
  const root = publicUrl?.slice(0, -'/v1'.length) ?? ''
  // the headers of each code, made once
  const headersOf = Object.fromEntries(
    ERROR_CODES.map((code): [ErrorCode, HeaderFields] => [
      code,
      [
        ['Content-Type', 'application/json'],
        ['Link', linkOf(code, root)],
      ],
    ]),
  ) as Readonly<Record<ErrorCode, HeaderFields>>
  return (failure, requestId) => {
    const { code, message, headers } = shapeOf(failure, requestId)
    const { status } = ERROR_HELP[code]
    const body = JSON.stringify({ code, message, status })
    const detail = failure._tag === 'Overloaded' ? 'shed' : undefined
    const fields = headers === undefined ? headersOf[code] : [...headersOf[code], ...headers]
    return { status, headers: fields, body, code, detail }
  }
}
