import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../support/http/http-service.js'

const SHOP = 'https://shop.example'
const on = shareHttp({ settings: { corsOrigins: [SHOP, 'http://localhost:3000'] } })
const off = shareHttp()

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => /^access-control-|^vary$/.test(name)))
const preflight = {
  Origin: SHOP,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization',
}

it.each<[string, string, number, object]>([
  ['GET', '/v1/pets', 200, { vary: 'Prefer' }],
  ['GET', '/v1/events', 200, { vary: 'Accept' }],
  ['OPTIONS', '/v1/pets', 204, {}],
  ['OPTIONS', '/v1/nope', 404, {}],
])('without configured origins no response has a CORS header: %s %s [cors]', async (method, path, status, fields) => {
  const response = await off().call(method, path, { headers: preflight })
  expect([response.status, corsOf(response.headers)]).toStrictEqual([status, fields])
})

describe('a configured origin', () => {
  const EXPOSED =
    'Accept-Post, Allow, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Total-Count'

  it.each<[string, string, number, string]>([
    ['GET', '/v1/pets', 200, 'Prefer, Origin'],
    ['GET', '/v1/pets?limit=0', 400, 'Origin'],
    ['PUT', '/v1/pets', 405, 'Origin'],
    ['GET', '/v1/events', 200, 'Accept, Origin'],
    ['GET', '/v1/nope', 404, 'Origin'],
    ['GET', '/health/live', 200, 'Origin'],
    ['OPTIONS', '/v1/nope', 404, 'Origin'],
  ])('may read the response to %s %s and its headers [cors]', async (method, path, status, vary) => {
    // half of a preflight is not a preflight
    const headers = method === 'OPTIONS' ? { Origin: SHOP } : preflight
    const response = await on().call(method, path, { headers })
    expect(response.status).toBe(status)
    expect(corsOf(response.headers)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': EXPOSED,
      vary,
    })
  })

  // also for unknown paths and methods, so that a page can read `route_not_found` and `method_not_allowed`
  it.each<[string, string]>([
    ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
    ['/v1/pets/7', 'GET, HEAD, OPTIONS'],
    ['/v1/nope', 'GET, HEAD, POST, OPTIONS'],
    ['/', 'GET, HEAD, POST, OPTIONS'],
  ])('sends a preflight for %s without a key [cors]', async (path, allowed) => {
    const { status, headers, text } = await on().anonymous('OPTIONS', path, { headers: preflight })
    expect([status, text, headers.get('Allow')]).toEqual([204, '', allowed])
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-allow-headers':
        'Authorization, baggage, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Pragma, Prefer, traceparent, tracestate, X-Request-Id',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })
})

describe('another origin', () => {
  it.each(['https://shop.example.evil.example', 'http://shop.example', 'https://shop.example:8443', 'null', ''])(
    'gets no CORS header: %j',
    async (origin) => {
      for (const [method, vary] of [
        ['GET', 'Prefer, Origin'],
        ['OPTIONS', 'Origin'],
      ] as const) {
        const { headers } = await on().call(method, '/v1/pets', { headers: { ...preflight, Origin: origin } })
        expect(corsOf(headers)).toEqual({ vary })
      }
    },
  )

  it('does not make the service refuse the request', async () => {
    const headers = { Origin: 'https://evil.example' }
    expect((await on().call('POST', '/v1/pets', { headers, body: '{"name":"a","categoryId":1}' })).status).toBe(201)
  })
})
