// Cross-origin reads (Fetch standard §3.2), for configured origins only.
import { fieldOf } from './messages/headers.js'
import type { Endpoint, HeaderFields, Reply } from './messages/reply.js'

/** What a script of another origin may read beyond the safelisted headers. */
const EXPOSED = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, traceparent, X-Request-Id'
/** Seconds for which a browser may keep the answer to a preflight. */
const PREFLIGHT_LIFETIME = '600'

/** The endpoint for scripts of these origins too; without origins it stays as it is. */
export const withCors = (origins: readonly string[], endpoint: Endpoint): Endpoint => {
  if (origins.length === 0) return endpoint
  return async (request) => {
    const reply = await endpoint(request)
    const withHeaders = (headers: HeaderFields): Reply => ({
      ...reply,
      headers: [...reply.headers, ['Vary', 'Origin'], ...headers],
    })
    const [origin] = request.header('origin')
    if (origin === undefined || !origins.includes(origin)) return withHeaders([])
    const isPreflight = request.method === 'OPTIONS' && request.header('access-control-request-method').length > 0
    const rest: HeaderFields = isPreflight
      ? [
          ['Access-Control-Allow-Methods', fieldOf(reply.headers, 'Allow') ?? ''],
          ['Access-Control-Allow-Headers', REQUEST_HEADERS],
          ['Access-Control-Max-Age', PREFLIGHT_LIFETIME],
        ]
      : [['Access-Control-Expose-Headers', EXPOSED]]
    return withHeaders([['Access-Control-Allow-Origin', origin], ...rest])
  }
}
