import { expect, it } from 'vitest'
import { operations, operationsOf } from '../../support/documents/openapi-document.js'
import { refusal } from '../../support/http/client.js'
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

it.each(PATHS)('OPTIONS of %s returns its methods without a key: %s [methods]', async (path, allow) => {
  const { status, text, headers } = await shared().anonymous('OPTIONS', path)
  expect([status, text, headers.get('Allow'), headers.get('Content-Type')]).toEqual([204, '', allow, null])
})

it.each(PATHS)('HEAD of %s has the headers of GET and no body [methods]', async (path) => {
  const { call } = shared()
  const headers = { 'Accept-Encoding': 'identity' }
  const [get, head] = [await call('GET', path, { headers }), await call('HEAD', path, { headers })]
  const comparable = ({ headers }: typeof get) =>
    [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
  expect([head.status, head.text, comparable(head)]).toEqual([get.status, '', comparable(get)])
  expect(head.headers.get('Content-Length')).toBe(String(Buffer.byteLength(get.text)))
})

it.each(PATHS)('another method of %s gets 405 with Allow: %s [methods]', async (path, allow) => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'LINK', ...(path === '/v1/pets' ? [] : ['POST'])]) {
    const { status, json, headers } = await shared().anonymous(method, path)
    expect({ status, json }).toEqual(refusal(405, 'method_not_allowed', `this path supports ${allow}`))
    expect(headers.get('Allow')).toBe(allow)
  }
})

it.each(['/', '/docs/', '/docs/..%2fpackage.json', '/v1/pets/', '/v1/pets/1/x', '/metrics'])(
  'another path gets the same response with and without a key: %s',
  async (path) => {
    for (const call of [shared().call, shared().anonymous]) {
      const response = await call('GET', path)
      expect(response).toMatchObject(refusal(404, 'route_not_found', 'no such path; the documentation is at /docs'))
      expect(response.headers.get('Link')).toMatch(/rel="help", <\/docs>; rel="service-doc"$/)
    }
  },
)
