// Cross-origin requests (Fetch standard §3.2), for configured origins only.
import type { HeaderFields, HttpRequest } from './messages/message.js'

/** Response headers that scripts of other origins may read, in addition to the safelisted ones. */
const EXPOSED =
  'Accept-Post, Allow, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, ' +
  'RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Total-Count'
const REQUEST_HEADERS =
  'Authorization, baggage, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Pragma, ' +
  'Prefer, traceparent, tracestate, X-Request-Id'
// more than any path serves, so that a page that uses another method can read our 405 instead of a CORS failure
const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'
const PREFLIGHT_MAX_AGE_SECONDS = '600'

export const isPreflight = ({ method, header }: Pick<HttpRequest, 'method' | 'header'>): boolean =>
  method === 'OPTIONS' && header('origin').length > 0 && header('access-control-request-method').length > 0

/** The headers to add to a reply; none if no origins are configured. */
export const corsFields = (
  origins: readonly string[],
  request: Pick<HttpRequest, 'method' | 'header'>,
): HeaderFields => {
  if (origins.length === 0) return []
  const vary: HeaderFields = [['Vary', 'Origin']]
  const [origin] = request.header('origin')
  if (origin === undefined || !origins.includes(origin)) return vary
  const rest: HeaderFields = isPreflight(request)
    ? [
        ['Access-Control-Allow-Methods', METHODS],
        ['Access-Control-Allow-Headers', REQUEST_HEADERS],
        ['Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS],
      ]
    : [['Access-Control-Expose-Headers', EXPOSED]]
  return [...vary, ['Access-Control-Allow-Origin', origin], ...rest]
}
