// What every HTTP test relies on: the client and its check refuse what openapi.yaml does not allow.
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { client } from '../http/client.js'
import { startListening } from '../network/start-listening.js'
import { checkResponse, type ResponseToCheck } from './openapi-check.js'

type Sent = Readonly<Record<string, string>>

const constant: Sent = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'X-Request-Id': 'r1',
}
const json = { ...constant, 'Content-Type': 'application/json' }
const fresh = { ...json, ETag: '"x"', 'Cache-Control': 'private, no-cache' }
const deprecated = {
  Deprecation: '@1795219200',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '<http://a.example/docs>; rel="deprecation", <http://a.example/v1/pets>; rel="successor-version"',
}
const located = { ...json, Location: 'http://a.example/v1/pets/1' }
const challenge = { ...json, 'WWW-Authenticate': 'Bearer realm="animal-store"' }
const limited = {
  ...json,
  RateLimit: '"default";r=0;t=9',
  'RateLimit-Policy': '"default";q=20;w=10',
  'Retry-After': '9',
}
const pet = '{"id":1,"name":"Rex","categoryId":9223372036854775807}'

const reply = (method: string, path: string, status: number, sent: Sent, body: string): ResponseToCheck => {
  const headers = new Headers(sent)
  const code = /"code":"(\w+)"/.exec(body)?.[1]
  if (code !== undefined) headers.append('Link', `</docs/errors#${code}>; rel="help"`)
  return { method, path, status, headers, body }
}
const error = (request: string, status: number, code: string, sent: Sent = json): ResponseToCheck => {
  const [method = '', path = ''] = request.split(' ')
  return reply(method, path, status, sent, JSON.stringify({ code, message: 'm', status }))
}
const list = (sent: Sent = fresh, body = '[]', status = 200) =>
  reply('GET', '/v1/pets', status, { Vary: 'Prefer', ...sent }, body)
const created = (body: string, sent: Sent = located) => reply('POST', '/v1/pets', 201, sent, body)
const live = (sent: Sent) => reply('GET', '/health/live', 200, sent, '{"status":"ok"}')
const down = (sent: Sent) => error('GET /health/ready', 503, 'unavailable', sent)
const without = (sent: Sent, name: string): Sent =>
  Object.fromEntries(Object.entries(sent).filter(([key]) => key !== name))

describe('checkAnswer', () => {
  it.each<[string, ResponseToCheck]>([
    ['a page', list(fresh, `[${pet}]`)],
    ['an empty page', list({ ...fresh, 'X-Total-Count': '0', RateLimit: '"default";r=3;t=1' })],
    ['an unchanged page', list(without(fresh, 'Content-Type'), '', 304)],
    ['the head of a page', reply('HEAD', '/v1/pets', 200, { ...fresh, Vary: 'Prefer' }, '')],
    ['a new pet', created(pet)],
    ['a pet', reply('GET', '/v1/pets/1', 200, { ...fresh, ...deprecated }, pet)],
    ['an absent pet', error('GET /v1/pets/x', 404, 'pet_not_found', { ...json, ...deprecated })],
    ['malformed HTTP for a pet', error('GET /v1/pets/1', 400, 'bad_request')],
    ['no key', error('GET /v1/store/orders', 401, 'missing_api_key', challenge)],
    ['an unknown path', error('GET /v1/cats', 404, 'route_not_found')],
    ['a wrong method', error('PUT /v1/pets', 405, 'method_not_allowed', { ...json, Allow: 'GET' })],
    ['the methods of a path', reply('OPTIONS', '/v1/pets', 204, { ...constant, Allow: 'GET' }, '')],
    ['not ready', down({ ...json, 'Retry-After': '1' })],
    ['alive', live(json)],
    ['too many requests', error('POST /v1/pets', 429, 'rate_limited', limited)],
    ['a refusal of malformed HTTP', error(' ', 400, 'bad_request')],
  ])('accepts %s', (_, good) => {
    expect(() => checkResponse(good)).not.toThrow()
  })

  it.each<[string, ResponseToCheck, string]>([
    ['an extra member', list(fresh, `[${pet.replace('{', '{"x":1,')}]`), '/0: must NOT have additional properties: x'],
    ['a missing member', created('{"id":1,"name":"x"}'), "required property 'categoryId'"],
    ['a null for an absent status', created(pet.replace('}', ',"status":null}')), '/status'],
    ['an integer as text', created(pet.replace('1', '"1"')), '/id: must be an integer'],
    ['2^63', created(pet.replace('5807', '5808')), '/categoryId: must be an integer'],
    ['a fraction', created(pet.replace('1', '1.5')), '/id: must be an integer'],
    ['half a surrogate pair', created(pet.replace('Rex', '\\ud800')), '/name: must match format'],
    ['a body that is not JSON', created('{'), 'the body is not JSON'],
    ['another content type', created(pet, { ...located, 'Content-Type': 'text/html' }), 'text/html'],
    ['a Location that is not an address', created(pet, { ...json, Location: '1' }), 'Location is "1"'],
    ['a malformed quota', created(pet, { ...located, RateLimit: 'limit=10' }), 'RateLimit is "limit=10"'],
    ['a missing ETag', list(without(fresh, 'ETag')), 'the header ETag is missing'],
    ['a weak ETag', list({ ...fresh, ETag: 'W/"x"' }), 'the header ETag is'],
    ['a quoted count', list({ ...fresh, 'X-Total-Count': '"1"' }), 'X-Total-Count'],
    ['a page that may be stored', list({ ...fresh, 'Cache-Control': 'public' }), 'Cache-Control'],
    [
      'another policy',
      list({ ...fresh, 'Content-Security-Policy': "default-src 'self'" }),
      'Content-Security-Policy is',
    ],
    ['a 304 with a body', list(fresh, '[]', 304), 'there is a body'],
    ['a status that is not documented', list(fresh, '[]', 206), 'listPets has no such status'],
    ['a HEAD with a body', reply('HEAD', '/v1/pets', 200, fresh, '[]'), 'there is a body'],
    ['orders that may be stored', reply('GET', '/v1/store/orders', 200, fresh, '[]'), 'Cache-Control'],
    ['a success at an unknown path', reply('GET', '/v1/cats', 200, json, '[]'), 'no operation is documented here'],
    ['a bare 404', reply('GET', '/nowhere', 404, json, 'Not Found'), 'the body is not JSON'],
    ['a missing nosniff', live(without(json, 'X-Content-Type-Options')), 'X-Content-Type-Options'],
    ['a health response that may be stored', live(without(json, 'Cache-Control')), 'Cache-Control is missing'],
    ['an X-Powered-By header', live({ ...json, 'X-Powered-By': 'x' }), 'X-Powered-By is sent'],
    ['a wait that is not a number', down({ ...json, 'Retry-After': 'soon' }), 'Retry-After is "soon"'],
    ['a long wait in an outage', down({ ...json, 'Retry-After': '4' }), 'Retry-After is "4"'],
    ['a 503 without Retry-After', down(json), 'Retry-After is missing'],
    [
      'a 429 without RateLimit',
      error('GET /v1/pets', 429, 'rate_limited', without(limited, 'RateLimit')),
      'RateLimit is missing',
    ],
    ['a missing Sunset', error('GET /v1/pets/1', 404, 'pet_not_found'), 'Sunset is missing'],
    ['a 405 without Allow', error('PUT /v1/pets', 405, 'method_not_allowed'), 'Allow is missing'],
    ['a 401 without challenge', error('GET /v1/pets', 401, 'invalid_api_key'), 'WWW-Authenticate is missing'],
    ['an unknown code', error('GET /v1/pets', 400, 'oops'), '/code: must be one of'],
    ['the code of another operation', error('GET /v1/pets', 400, 'malformed_json'), '/code: must be'],
    ['the code of another status', error('PUT /v1/pets', 400, 'unavailable'), 'is documented'],
    [
      'another status in the body',
      { ...error('GET /v1/pets', 401, 'invalid_cursor'), status: 400 },
      '/status: must be 400',
    ],
    [
      'an error that leads to another',
      {
        ...error('GET /v1/cats', 404, 'route_not_found'),
        headers: new Headers({ ...json, Link: '</docs/errors#pet_not_found>; rel="help"' }),
      },
      'Link does not lead to route_not_found',
    ],
    [
      'an error with more members',
      reply('GET', '/v1/cats', 404, json, '{"code":"route_not_found","message":"","status":404,"x":0}'),
      ': x',
    ],
  ])('refuses %s [pet error-shape rule-1 rule-3 headers]', (_, bad, fault) => {
    expect(() => checkResponse(bad)).toThrow(fault)
  })
})

describe('the client', () => {
  const create = async (sent: Sent) => {
    const server = createServer((_, response) => response.writeHead(201, sent).end(pet))
    const call = client(`http://127.0.0.1:${await startListening(server)}/v1`, 'key')
    return call('POST', '/v1/pets', { body: '{}' })
  }

  it('returns exact integers', async () => {
    const { status, json: value } = await create(located)
    expect([status, value]).toStrictEqual([201, { id: 1n, name: 'Rex', categoryId: 9223372036854775807n }])
  })

  it('checks what it returns', async () => {
    await expect(create(json)).rejects.toThrow('the header Location is missing')
  })
})
