import { describe, expect, it } from 'vitest'
import { keyTextFrom } from '../../../src/domain/api-keys/api-key-text.js'
import { revokeApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import { succeed } from '../../../src/testing/samples.js'
import { client } from '../../support/http/client.js'
import { piecesOf, shareHttp, startHttp } from '../../support/http/http-service.js'
import { isInProcess } from '../../support/http/in-process.js'

const shared = shareHttp()
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('X-Request-Id', () => {
  it.each(['a', 'abc-DEF_123', 'a.b:c/d=e+f@g~h', 'x'.repeat(128), '0f'.repeat(32), '0'])(
    'is taken over if it is sane: %s [request-id]',
    async (id) => {
      for (const path of ['/v1/pets', '/v1/nope', '/health/live']) {
        const { headers } = await shared().call('GET', path, { headers: { 'X-Request-Id': id } })
        expect(headers.get('X-Request-Id')).toBe(id)
      }
    },
  )

  it.each(['', 'a b', 'x'.repeat(129), '"a"', 'a,b', 'a;b', '<a>', '{a}', 'a\tb', '\u00e4', '%0a\\n', "a'b", '$(a)'])(
    'is made anew if it is not: %j [request-id]',
    async (id) => {
      const { headers } = await shared().call('GET', '/v1/pets', { headers: { 'X-Request-Id': id } })
      expect(headers.get('X-Request-Id')).toMatch(UUID)
    },
  )
})

describe('the log', () => {
  it('has one line per request, with its id, route, status, time and key', async () => {
    const { call, anonymous, issue, keyId, requestLines, url } = await startHttp()
    const headers = { 'X-Request-Id': 'r1' }
    await call('POST', '/v1/pets', { headers, body: '{"name":"a","categoryId":1}' })
    await call('GET', '/v1/pets/1?token=x', { headers })
    await call('HEAD', '/v1/pets', { headers })
    await anonymous('GET', '/v1/pets?limit=0', { headers })
    await call('GET', '/v1/secret-path', { headers })
    const { key, text } = await issue(['pets:write'])
    await client(url, text)('GET', '/v1/pets', { headers })
    await anonymous('DELETE', '/v1/pets', { headers })
    const line = (method: string, path: string, route: string, status: number) => ({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'animal-store',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      requestId: 'r1',
      path,
      bytes: expect.any(Number),
      method,
      route,
      status,
      ms: expect.any(Number),
      msg: 'request',
    })
    expect(requestLines()).toEqual([
      { ...line('POST', '/v1/pets', '/v1/pets', 201), keyId },
      { ...line('GET', '/v1/pets/1', '/v1/pets/{petId}', 200), keyId },
      { ...line('HEAD', '/v1/pets', '/v1/pets', 200), keyId, bytes: 0 },
      { ...line('GET', '/v1/pets', '/v1/pets', 401), code: 'missing_api_key' },
      { ...line('GET', '/v1/secret-path', 'unmatched', 404), code: 'route_not_found' },
      { ...line('GET', '/v1/pets', '/v1/pets', 403), keyId: key.id, code: 'insufficient_scope' },
      { ...line('DELETE', '/v1/pets', '/v1/pets', 405), code: 'method_not_allowed' },
    ])
  })

  it('says which key was refused, why, and from where, which the answer does not [secrets]', async () => {
    const { anonymous, issue, key, keyId, requestLines, url, world } = await startHttp()
    const [expired, revoked] = [await issue(['pets:read'], 1), await issue()]
    await succeed(revokeApiKey(world)(revoked.key.id))
    world.clock.advance(10)
    const unknown = keyTextFrom('0'.repeat(11), new Uint8Array(32))
    const other = keyTextFrom(keyId, new Uint8Array(32))
    const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    const sent = [expired.text, revoked.text, unknown, other, mistyped, 'x']
    const responses = await Promise.all(sent.map((text) => client(url, text)('GET', '/v1/pets/1')))
    responses.push(await anonymous('GET', '/v1/pets/1', { headers: { Authorization: `Basic ${key}` } }))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const told = requestLines().map(({ keyId: id, reason, clientAddress }) => [reason, id, clientAddress])
    const from = isInProcess() ? undefined : '127.0.0.1'
    expect(told.toSorted()).toEqual(
      [
        ['expired', expired.key.id, from],
        ['revoked', revoked.key.id, from],
        ['unknown', '00000000000', from],
        ['wrong_secret', keyId, from],
        ['mistyped', keyId, from],
        ['malformed', undefined, from],
        ['malformed', undefined, from],
      ].toSorted(),
    )
  })

  it('believes no X-Forwarded-For without a proxy', async () => {
    const { url, requestLines } = await startHttp()
    await client(url, 'x')('GET', '/v1/pets', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
    expect(requestLines()).toMatchObject([{ status: 401 }])
    expect(JSON.stringify(requestLines())).not.toContain('203.0.113.9')
  })

  it.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-of-the-future', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', undefined],
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', undefined],
    ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', undefined],
  ])('continues the trace of %s [request-id]', async (traceparent, traceId) => {
    const { call, requestLines } = await startHttp()
    await call('GET', '/v1/pets', { headers: { traceparent } })
    expect(requestLines()[0]?.traceId).toBe(traceId)
  })

  it('never contains a secret, whatever fails [secrets]', async () => {
    const { call, key, issue, url, logTexts, world } = await startHttp({
      replace: ({ pets }) => ({
        pets: {
          ...pets,
          findById: () => {
            throw Object.assign(new Error('inside'), { command: { document: 'document-secret' } })
          },
        },
      }),
    })
    const expired = (await issue(['pets:read'], 1)).text
    world.clock.advance(10)
    const cut = key.slice(0, -3)
    const headers = { 'Idempotency-Key': 'idempotency-secret', Cookie: 'session=cookie-secret' }
    await call('POST', '/v1/pets', { headers, body: '{"name":"name-secret","categoryId":1}' })
    await call('POST', '/v1/pets', { headers, body: '{"name":"name-secret",' })
    await call('GET', '/v1/pets/1')
    await client(url, expired)('GET', '/v1/pets')
    await client(url, cut)('GET', '/v1/pets')
    // keys in other places: test/adapters/http/server/secrets.test.ts
    const log = logTexts.join('')
    const others = ['idempotency-secret', 'cookie-secret', 'name-secret', 'document-secret']
    const found = [...piecesOf(key), ...piecesOf(expired), ...others].filter((secret) => log.includes(secret))
    expect(found).toStrictEqual([])
    expect(logTexts).toHaveLength(6)
  })
})
