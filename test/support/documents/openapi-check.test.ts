import { describe, expect, it } from 'vitest'
import { type AnswerToCheck, checkAnswer } from './openapi-check.js'

const constant = {
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
const error = (status: number, code: string) => JSON.stringify({ code, message: 'm', status })

type Sent = Readonly<Record<string, string>>
const answer = (method: string, path: string, status: number, sent: Sent, body: string): AnswerToCheck => {
  const headers = new Headers(sent)
  const code = /"code":"(\w+)"/.exec(body)?.[1]
  if (code !== undefined) headers.append('Link', `</docs/errors#${code}>; rel="help"`)
  return { method, path, status, headers, body }
}
const down = (sent: Sent) => answer('GET', '/health/ready', 503, sent, error(503, 'unavailable'))
const without = (sent: Sent, name: string): Sent =>
  Object.fromEntries(Object.entries(sent).filter(([key]) => key !== name))

describe('checkAnswer', () => {
  it.each<[string, AnswerToCheck]>([
    ['a page', answer('GET', '/v1/pets?limit=1', 200, fresh, `[${pet}]`)],
    ['an empty page', answer('GET', '/v1/pets', 200, { ...fresh, 'X-Total-Count': '0' }, '[]')],
    ['an unchanged page', answer('GET', '/v1/pets', 304, without(fresh, 'Content-Type'), '')],
    ['the head of a page', answer('HEAD', '/v1/pets', 200, fresh, '')],
    ['a new pet', answer('POST', '/v1/pets', 201, located, pet)],
    ['a pet', answer('GET', '/v1/pets/1', 200, { ...fresh, ...deprecated }, pet)],
    ['an absent pet', answer('GET', '/v1/pets/x', 404, { ...json, ...deprecated }, error(404, 'pet_not_found'))],
    ['malformed HTTP for a pet', answer('GET', '/v1/pets/1', 400, json, error(400, 'bad_request'))],
    ['no key', answer('GET', '/v1/store/orders', 401, challenge, error(401, 'missing_api_key'))],
    ['an unknown path', answer('GET', '/v1/cats', 404, json, error(404, 'route_not_found'))],
    ['a wrong method', answer('PUT', '/v1/pets', 405, { ...json, Allow: 'GET' }, error(405, 'method_not_allowed'))],
    ['the methods of a path', answer('OPTIONS', '/v1/pets', 204, { ...constant, Allow: 'GET' }, '')],
    ['not ready', down({ ...json, 'Retry-After': '1' })],
    ['ready', answer('GET', '/health/ready', 200, json, '{"status":"ok"}')],
    ['too many requests', answer('POST', '/v1/pets', 429, limited, error(429, 'rate_limited'))],
    ['a page within a limit', answer('GET', '/v1/pets', 200, { ...fresh, RateLimit: '"default";r=3;t=1' }, '[]')],
    ['a refusal of malformed HTTP', answer('', '', 400, json, error(400, 'bad_request'))],
  ])('accepts %s', (_, good) => {
    expect(() => checkAnswer(good)).not.toThrow()
  })

  it.each<[string, AnswerToCheck, string]>([
    [
      'an extra member',
      answer('GET', '/v1/pets', 200, fresh, `[${pet.replace('{', '{"x":1,')}]`),
      '/0: must NOT have additional properties: x',
    ],
    [
      'a missing member',
      answer('POST', '/v1/pets', 201, located, '{"id":1,"name":"x"}'),
      "required property 'categoryId'",
    ],
    [
      'a null for an absent status',
      answer('POST', '/v1/pets', 201, located, pet.replace('}', ',"status":null}')),
      '/status',
    ],
    [
      'an integer as text',
      answer('POST', '/v1/pets', 201, located, pet.replace('1', '"1"')),
      '/id: must be an integer',
    ],
    ['2^63', answer('POST', '/v1/pets', 201, located, pet.replace('5807', '5808')), '/categoryId: must be an integer'],
    ['a fraction', answer('POST', '/v1/pets', 201, located, pet.replace('1', '1.5')), '/id: must be an integer'],
    [
      'half a surrogate pair',
      answer('POST', '/v1/pets', 201, located, pet.replace('Rex', '\\ud800')),
      '/name: must match format',
    ],
    ['a body that is not JSON', answer('POST', '/v1/pets', 201, located, '{'), 'the body is not JSON'],
    [
      'another content type',
      answer('POST', '/v1/pets', 201, { ...located, 'Content-Type': 'text/html' }, pet),
      'text/html',
    ],
    ['a missing Location', answer('POST', '/v1/pets', 201, json, pet), 'the header Location is missing'],
    [
      'a Location that is not an address',
      answer('POST', '/v1/pets', 201, { ...json, Location: '1' }, pet),
      'Location is "1"',
    ],
    ['a missing ETag', answer('GET', '/v1/pets', 200, without(fresh, 'ETag'), '[]'), 'the header ETag is missing'],
    ['a weak ETag', answer('GET', '/v1/pets', 200, { ...fresh, ETag: 'W/"x"' }, '[]'), 'the header ETag is'],
    ['a quoted count', answer('GET', '/v1/pets', 200, { ...fresh, 'X-Total-Count': '"1"' }, '[]'), 'X-Total-Count'],
    [
      'a page that may be stored',
      answer('GET', '/v1/pets', 200, { ...fresh, 'Cache-Control': 'public' }, '[]'),
      'Cache-Control',
    ],
    ['orders that may be stored', answer('GET', '/v1/store/orders', 200, fresh, '[]'), 'Cache-Control'],
    [
      'a missing nosniff',
      answer('GET', '/health/live', 200, without(json, 'X-Content-Type-Options'), '{}'),
      'X-Content-Type-Options',
    ],
    [
      'another Content-Security-Policy',
      answer('GET', '/v1/pets', 304, { ...fresh, 'Content-Security-Policy': "default-src 'self'" }, ''),
      'Content-Security-Policy is',
    ],
    [
      'a health response that may be stored',
      answer('GET', '/health/live', 200, without(json, 'Cache-Control'), '{}'),
      'Cache-Control is missing',
    ],
    ['a wait that is not a number', down({ ...json, 'Retry-After': 'soon' }), 'Retry-After is "soon"'],
    ['a long wait in an outage', down({ ...json, 'Retry-After': '4' }), 'Retry-After is "4"'],
    [
      'a 429 without RateLimit',
      answer('GET', '/v1/pets', 429, without(limited, 'RateLimit'), error(429, 'rate_limited')),
      'RateLimit is missing',
    ],
    [
      'a malformed quota',
      answer('POST', '/v1/pets', 201, { ...located, RateLimit: 'limit=10' }, pet),
      'RateLimit is "limit=10"',
    ],
    [
      'an X-Powered-By header',
      answer('GET', '/health/live', 200, { ...json, 'X-Powered-By': 'x' }, '{}'),
      'X-Powered-By is sent',
    ],
    ['a missing Sunset', answer('GET', '/v1/pets/1', 404, json, error(404, 'pet_not_found')), 'Sunset is missing'],
    ['a status that is not documented', answer('GET', '/v1/pets', 206, fresh, '[]'), 'listPets has no such status'],
    ['a 304 with a body', answer('GET', '/v1/pets', 304, fresh, '[]'), 'there is a body'],
    ['a HEAD with a body', answer('HEAD', '/v1/pets', 200, fresh, '[]'), 'there is a body'],
    ['a success at an unknown path', answer('GET', '/v1/cats', 200, json, '[]'), 'no operation is documented here'],
    ['a bare 404', answer('GET', '/nowhere', 404, json, 'Not Found'), 'the body is not JSON'],
    ['a 405 without Allow', answer('PUT', '/v1/pets', 405, json, error(405, 'method_not_allowed')), 'Allow is missing'],
    [
      'a 401 without challenge',
      answer('GET', '/v1/pets', 401, json, error(401, 'invalid_api_key')),
      'WWW-Authenticate is missing',
    ],
    ['a 503 without Retry-After', down(json), 'Retry-After is missing'],
    ['an unknown code', answer('GET', '/v1/pets', 400, json, error(400, 'oops')), '/code: must be one of'],
    [
      'the code of another operation',
      answer('GET', '/v1/pets', 400, json, error(400, 'malformed_json')),
      '/code: must be',
    ],
    ['the code of another status', answer('PUT', '/v1/pets', 400, json, error(400, 'unavailable')), 'is documented'],
    [
      'another status in the body',
      answer('GET', '/v1/pets', 400, json, error(401, 'invalid_cursor')),
      '/status: must be 400',
    ],
    [
      'an error that leads to another',
      {
        ...answer('GET', '/v1/cats', 404, json, error(404, 'route_not_found')),
        headers: new Headers({ ...json, Link: '</docs/errors#pet_not_found>; rel="help"' }),
      },
      'Link does not lead to route_not_found',
    ],
    [
      'an error with more members',
      answer('GET', '/v1/cats', 404, json, '{"code":"route_not_found","message":"","status":404,"x":0}'),
      ': x',
    ],
  ])('refuses %s [pet error-shape rule-1 rule-3 headers]', (_, bad, fault) => {
    expect(() => checkAnswer(bad)).toThrow(fault)
  })
})
