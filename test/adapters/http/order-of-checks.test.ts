// Route, method, key, scope, headers, body, domain: of two faults, the service reports the earlier one.
import { describe, expect, it } from 'vitest'
import { client } from '../../support/http/client.js'
import { shareHttp } from '../../support/http/http-service.js'

const shared = shareHttp({ settings: { maxBodyBytes: 100 } })

describe('a request with two faults', () => {
  const bad = { body: '{', headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': '' } }

  it.each<[string, () => Promise<unknown>, string]>([
    ['the route, then the method', () => shared().anonymous('PUT', '/v1/nope', bad), 'route_not_found'],
    ['the method, then the key', () => shared().anonymous('DELETE', '/v1/pets'), 'method_not_allowed'],
    ['the method, then the key, at a pet', () => shared().anonymous('POST', '/v1/pets/x', bad), 'method_not_allowed'],
    ['the key, then the query', () => shared().anonymous('GET', '/v1/pets?limit=0'), 'missing_api_key'],
    ['the key, then the pet', () => shared().anonymous('GET', '/v1/pets/x'), 'missing_api_key'],
    ['the key, then the body', () => shared().anonymous('POST', '/v1/pets', bad), 'missing_api_key'],
    [
      'the scope, then the headers',
      async () => client(shared().url, (await shared().issue(['pets:read'])).text)('POST', '/v1/pets', bad),
      'insufficient_scope',
    ],
    [
      'the scope, then the query',
      async () => client(shared().url, (await shared().issue(['orders:read'])).text)('GET', '/v1/pets?limit=0'),
      'insufficient_scope',
    ],
    ['the idempotency key, then the media type', () => shared().call('POST', '/v1/pets', bad), 'invalid_parameter'],
    [
      'the media type, then the size',
      () => shared().call('POST', '/v1/pets', { body: ' '.repeat(101), headers: { 'Content-Type': 'text/plain' } }),
      'unsupported_media_type',
    ],
    [
      'the encoding, then the body',
      () => shared().call('POST', '/v1/pets', { body: '{', headers: { 'Content-Encoding': 'gzip' } }),
      'unsupported_media_type',
    ],
    [
      'the size, then the text',
      () => shared().call('POST', '/v1/pets', { body: '{'.repeat(101) }),
      'payload_too_large',
    ],
    ['the text, then the pet', () => shared().call('POST', '/v1/pets', { body: '{"name":1,}' }), 'malformed_json'],
  ])('is refused for the earlier one: %s [rule-4 checks]', async (_, answer, code) => {
    expect(await answer()).toMatchObject({ json: { code } })
  })
})
