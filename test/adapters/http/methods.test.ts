import { describe, expect, it } from 'vitest'
import { operations, operationsOf } from '../../support/documents/openapi-document.js'
import { shareHttp } from '../../support/http/http-service.js'

const shared = shareHttp()

const PATHS: readonly (readonly [path: string, allow: string])[] = [
  ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
  ['/v1/pets/1', 'GET, HEAD, OPTIONS'],
  ['/v1/store/orders', 'GET, HEAD, OPTIONS'],
  ['/v1/events', 'GET, HEAD, OPTIONS'],
  ['/health/live', 'GET, HEAD, OPTIONS'],
  ['/health/ready', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
]

it('a row says the methods of each path of the description', () => {
  expect(new Set(PATHS.flatMap(([path]) => operationsOf(path)))).toEqual(new Set(operations))
})

describe('OPTIONS', () => {
  it.each(PATHS)('of %s returns its methods without a key: %s [methods]', async (path, allow) => {
    const { status, text, headers } = await shared().anonymous('OPTIONS', path)
    expect([status, text, headers.get('Allow')]).toEqual([204, '', allow])
    expect(headers.get('Content-Type')).toBeNull()
  })
})

describe('HEAD', () => {
  it.each(PATHS)('of %s has the headers of GET and no body [methods]', async (path) => {
    const { call } = shared()
    const headers = { 'Accept-Encoding': 'identity' }
    const [get, head] = [await call('GET', path, { headers }), await call('HEAD', path, { headers })]
    const comparable = ({ headers }: typeof get) =>
      [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
    expect([head.status, head.text]).toEqual([get.status, ''])
    expect(comparable(head)).toEqual(comparable(get))
    expect(head.headers.get('Content-Length')).toBe(String(Buffer.byteLength(get.text)))
  })
})

describe('another method', () => {
  it.each(PATHS)('of %s gets 405 with Allow: %s [methods]', async (path, allow) => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'LINK', ...(path === '/v1/pets' ? [] : ['POST'])]) {
      const response = await shared().anonymous(method, path)
      const message = `this path supports ${allow}`
      expect(response.json).toEqual({ code: 'method_not_allowed', message, status: 405n })
      expect(response.headers.get('Allow')).toBe(allow)
    }
  })
})

describe('another path', () => {
  it.each([
    '/',
    '/v1',
    '/docs/',
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/v1/pets/',
    '/v1/pets/1/',
    '/v1/pets/1/x',
    '/v2/pets',
    '/metrics',
  ])('%s gets the same response with and without a key', async (path) => {
    for (const call of [shared().call, shared().anonymous]) {
      const response = await call('GET', path)
      const json = { code: 'route_not_found', message: 'no such path; the documentation is at /docs', status: 404n }
      expect(response).toMatchObject({ status: 404, json })
      expect(response.headers.get('Link')).toMatch(/rel="help", <\/docs>; rel="service-doc"$/)
    }
  })
})
