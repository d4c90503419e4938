import { describe, expect, it } from 'vitest'
import { corsFields } from '../../../src/adapters/http/cors.js'
import { shareHttp } from '../../support/http/http-service.js'
import { plainRequest } from '../../support/http/plain-request.js'

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

describe('corsFields', () => {
  const fieldsOf = (method: string, headers: Readonly<Record<string, string>>, origins = [SHOP]) =>
    Object.fromEntries(corsFields(origins, plainRequest({ method, headers }), []))
  const isPreflight = (fields: Readonly<Record<string, string>>) => 'Access-Control-Max-Age' in fields

  it('takes for a preflight only OPTIONS with the method that is to follow', () => {
    const asked = { origin: SHOP, 'access-control-request-method': 'POST' }
    expect(isPreflight(fieldsOf('OPTIONS', asked))).toBe(true)
    expect(fieldsOf('OPTIONS', asked)).toMatchObject({ 'Access-Control-Allow-Methods': '' })
    expect(isPreflight(fieldsOf('GET', asked))).toBe(false)
    expect(isPreflight(fieldsOf('OPTIONS', { origin: SHOP }))).toBe(false)
  })

  it('adds nothing if no origin is configured, and no more than Vary for a request without one', () => {
    expect(fieldsOf('GET', { origin: SHOP }, [])).toStrictEqual({})
    expect(fieldsOf('GET', {})).toStrictEqual({ Vary: 'Origin' })
  })
})

describe('without configured origins', () => {
  it('no response has a CORS header [cors]', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await off().call(method, '/v1/pets', { headers: preflight })
      expect(corsOf(headers)).toEqual({})
    }
  })
})

describe('a configured origin', () => {
  const EXPOSED =
    'Accept-Post, Allow, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Total-Count'

  it.each<[string, string, number]>([
    ['GET', '/v1/pets', 200],
    ['GET', '/v1/pets/404', 404],
    ['PUT', '/v1/pets', 405],
    ['GET', '/v1/nope', 404],
    ['GET', '/health/live', 200],
    ['GET', '/openapi.json', 200],
  ])('may read the response to %s %s and its headers [cors]', async (method, path, status) => {
    const response = await on().call(method, path, { headers: { Origin: SHOP } })
    expect(response.status).toBe(status)
    expect(corsOf(response.headers)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': EXPOSED,
      vary: 'Origin',
    })
  })

  it('may read the refusal of an invalid key', async () => {
    const { status, headers } = await on().anonymous('GET', '/v1/pets', {
      headers: { Origin: 'http://localhost:3000' },
    })
    expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([401, 'http://localhost:3000'])
  })

  it('sends a preflight without a key [cors]', async () => {
    const { status, headers, text } = await on().anonymous('OPTIONS', '/v1/pets', { headers: preflight })
    expect([status, text]).toEqual([204, ''])
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, traceparent, X-Request-Id',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })

  it('never gets credentials of the browser', async () => {
    const { headers } = await on().call('GET', '/v1/pets', { headers: { Origin: SHOP } })
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })
})

describe('another origin', () => {
  it.each([
    'https://shop.example.evil.example',
    'http://shop.example',
    'https://SHOP.example',
    'https://shop.example:8443',
    'https://shop.example/',
    'null',
    '*',
    '',
  ])('gets no CORS header: %j', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await on().call(method, '/v1/pets', { headers: { ...preflight, Origin: origin } })
      expect(corsOf(headers)).toEqual({ vary: 'Origin' })
    }
  })

  it('does not make the service refuse the request', async () => {
    const headers = { Origin: 'https://evil.example' }
    expect((await on().call('POST', '/v1/pets', { headers, body: '{"name":"a","categoryId":1}' })).status).toBe(201)
  })
})
