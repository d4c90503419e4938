import { describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../../src/domain/api-keys/api-key.js'
import { revokeApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import { succeed } from '../../../src/testing/samples.js'
import { operations } from '../../support/documents/openapi-document.js'
import { type Call, client, refusal } from '../../support/http/client.js'
import { shareHttp, startHttp } from '../../support/http/http-service.js'

const shared = shareHttp()

/** The description of each operation names the scope that it requires. */
const OPERATIONS = operations.map(({ method, path, description }) => {
  const scopes = SCOPES.filter((scope) => description.includes(`\`${scope}\``))
  return [method, path.replace('{petId}', '1'), scopes.join(' and ') as Scope] as const
})

const MISSING = refusal(401, 'missing_api_key', 'send an API key as "Authorization: Bearer <API_KEY>"')
const INVALID = refusal(401, 'invalid_api_key', 'the API key is not valid')
const CHALLENGE = 'Bearer realm="animal-store"'
const challengeOf = async (call: Call, authorization?: string) => {
  const headers = authorization === undefined ? {} : { Authorization: authorization }
  const response = await call('GET', '/v1/pets', { headers })
  return [response, response.headers.get('WWW-Authenticate')]
}

describe('a request without a key', () => {
  it.each(OPERATIONS)('is refused at %s %s [bearer]', async (method, path) => {
    const response = await shared().anonymous(method, path)
    expect(response).toMatchObject(MISSING)
    expect(response.headers.get('WWW-Authenticate')).toBe(CHALLENGE)
  })

  it.each(['', '  '])('is one with the Authorization %j [401]', async (authorization) => {
    expect(await challengeOf(shared().anonymous, authorization)).toMatchObject([MISSING, CHALLENGE])
  })
})

const flipped = (): string => shared().key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

it.each<[string, () => string]>([
  ['Bearer alone', () => 'Bearer'],
  ['another scheme', () => 'Basic YTpi'],
  ['a key in another scheme', () => `Basic ${shared().key}`],
  ['a key and another word', () => `Bearer ${shared().key} x`],
  ['two keys in one header', () => `Bearer ${shared().key}, Bearer ${shared().key}`],
  ['a key with a typing error', () => `Bearer ${flipped()}`],
  ['a key with ten thousand characters', () => `Bearer ${'x'.repeat(10_000)}`],
  ['characters beyond ASCII', () => 'Bearer \u00e4'],
])('a credential that is not exactly one valid key is invalid: %s [bearer 401]', async (_, authorization) => {
  expect(await challengeOf(shared().anonymous, authorization())).toMatchObject([
    INVALID,
    `${CHALLENGE}, error="invalid_token"`,
  ])
})

describe('a valid key', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])('may follow %j [bearer]', async (scheme) => {
    const [response] = await challengeOf(shared().anonymous, `${scheme} ${shared().key}`)
    expect(response).toMatchObject({ status: 200 })
  })

  it.each([...OPERATIONS, ['HEAD', '/v1/pets', 'pets:read'] as const])(
    'authorises %s %s only with the scope %s [scopes]',
    async (method, path, scope) => {
      const { call, issue, url } = shared()
      const body = method === 'POST' ? { body: '{"name":"a","categoryId":1}' } : {}
      // the pet in the path
      if (path === '/v1/pets/1') await call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}' })
      const only = client(url, (await issue([scope])).text)
      expect((await only(method, path, body)).status).toBe(method === 'POST' ? 201 : 200)

      const others = client(url, (await issue(SCOPES.filter((other) => other !== scope))).text)
      const refused = await others(method, path, body)
      expect(refused.status).toBe(403)
      expect(refused.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope", scope="${scope}"`)
      const message = `the API key lacks the scope ${scope}`
      if (method !== 'HEAD') expect(refused.json).toEqual(refusal(403, 'insufficient_scope', message).json)
    },
  )
})

describe('a key stops working', () => {
  it('within five seconds after its revocation [key-life]', async () => {
    const { call, keyId, world } = await startHttp()
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    await succeed(revokeApiKey(world)(keyId))
    world.clock.advance(3_999)
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    world.clock.advance(1)
    expect(await call('GET', '/v1/pets')).toMatchObject(INVALID)
  })

  it('when it expires [key-life]', async () => {
    const { issue, url, world } = await startHttp()
    const call = client(url, (await issue(SCOPES, 60_000)).text)
    world.clock.advance(59_999)
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    world.clock.advance(5_000)
    expect(await call('GET', '/v1/pets')).toMatchObject(INVALID)
  })
})
