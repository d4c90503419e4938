import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { rotateApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import { succeed } from '../../../src/testing/samples.js'
import { client } from '../../support/http/client.js'
import { startWithHeldLists } from '../../support/http/held-lists.js'
import { startHttp } from '../../support/http/http-service.js'
import { listen } from '../../support/http/listen.js'
import { makeGate } from '../../support/runner/gate.js'

const UNAVAILABLE = { status: 503, json: { code: 'unavailable', status: 503n } }

/** Two lists that wait until `release` is called fill the limit of two requests. */
const startFull = async () => {
  const service = await startWithHeldLists({ maxInFlight: 2 })
  const held = Promise.all([service.call('GET', '/v1/pets'), service.call('GET', '/v1/pets?limit=1')])
  await service.entered(2)
  return { ...service, held }
}

describe('a service with as many requests in flight as it accepts', () => {
  it('refuses others at once, with Retry-After, but no probe [overload]', async () => {
    const { call, anonymous, held, release } = await startFull()
    const response = await call('GET', '/v1/pets/1')
    expect(response).toMatchObject(UNAVAILABLE)
    expect(response.headers.get('Retry-After')).toMatch(/^[123]$/)
    expect(await anonymous('GET', '/docs')).toMatchObject(UNAVAILABLE)
    expect((await anonymous('GET', '/v1/nope')).status).toBe(404)
    for (const probe of ['live', 'ready']) expect((await anonymous('GET', `/health/${probe}`)).status).toBe(200)
    release()
    expect((await held).map(({ status }) => status)).toEqual([200, 200])
    expect((await call('GET', '/v1/pets/1')).status).toBe(404)
  })

  it('has as many places for others while probes are under way [overload]', async () => {
    const { open, pass, entered } = makeGate()
    const ping = () => pass().then(() => E.right(undefined))
    const { call, anonymous } = await startHttp({ settings: { maxInFlight: 1 }, replace: () => ({ ping }) })
    const probe = anonymous('GET', '/health/ready')
    await entered(1)
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    open()
    expect((await probe).status).toBe(200)
  })

  it('takes no place from another service in the same process [overload]', async () => {
    const full = await startFull()
    const { call, anonymous } = await startHttp({ settings: { maxInFlight: 1 } })
    expect(await full.call('GET', '/v1/pets/1')).toMatchObject(UNAVAILABLE)
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    expect((await anonymous('GET', '/docs/index.css')).status).toBe(200)
    full.release()
    await full.held
  })

  it('has no more places for requests after streams that have ended [overload] [feed-listeners]', async () => {
    const { call, entered, release, url, key, requestLines } = await startWithHeldLists({ maxInFlight: 1 })
    for (const count of [1, 2]) {
      const listener = await listen(url, key)
      await listener.next()
      listener.leave()
      await expect.poll(requestLines).toHaveLength(count)
    }
    const held = call('GET', '/v1/pets')
    await entered(1)
    expect(await call('GET', '/v1/pets/1')).toMatchObject(UNAVAILABLE)
    release()
    expect((await held).status).toBe(200)
    expect((await call('GET', '/v1/pets/1')).status).toBe(404)
  })

  it('spreads Retry-After over three seconds [overload]', async () => {
    const { anonymous } = await startHttp({
      replace: () => ({ ping: async () => E.left({ _tag: 'Unavailable', cause: 1 }) }),
    })
    const responses = await Promise.all(Array.from({ length: 60 }, () => anonymous('GET', '/health/ready')))
    expect(new Set(responses.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['1', '2', '3']))
  })
})

describe('a rate limit', () => {
  const LIMITED = { status: 429, json: { code: 'rate_limited', status: 429n } }
  const startLimited = () => startHttp({ settings: { rateLimit: { perSecond: 0.1, burst: 3 } } })

  it('counts the requests of each key, and returns the rest of the quota [rates]', async () => {
    const { call, issue, url } = await startLimited()
    const states: (string | null)[] = []
    for (let count = 0; count < 3; count += 1) states.push((await call('GET', '/v1/pets')).headers.get('RateLimit'))
    expect(states).toEqual(['"default";r=2;t=10', '"default";r=1;t=10', '"default";r=0;t=10'])
    const refused = await call('POST', '/v1/pets', { body: 'not even read' })
    expect(refused).toMatchObject(LIMITED)
    expect(refused.headers.get('Retry-After')).toMatch(/^(?:9|10)$/)
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${refused.headers.get('Retry-After')}`)
    expect(refused.headers.get('RateLimit-Policy')).toBe('"default";q=3;w=30')
    const other = client(url, (await issue()).text)
    expect((await other('GET', '/v1/pets')).status).toBe(200)
  })

  it('is shared by a key and its successors [rates]', async () => {
    const { call, keyId, url, world } = await startLimited()
    const { text } = await succeed(rotateApiKey(world)({ id: keyId, overlapMs: 60_000 }))
    const successor = client(url, text)
    const statuses: number[] = []
    for (const one of [call, successor, call, successor, call]) statuses.push((await one('GET', '/v1/pets')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it.each(['/docs', '/openapi.yaml', '/nope'])(
    'counts what needs no key by address, wrong keys apart, and good keys from there do not feel it: %s [rates]',
    async (path) => {
      const settings = { rateLimit: { perSecond: 0.1, burst: 3 }, trustedProxies: 1 }
      const { anonymous, key, url, requestLines } = await startHttp({ settings })
      const [good, wrong] = [client(url, key), client(url, 'ast_live_x')]
      const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
      const flood = async (call: typeof good, asked: string): Promise<readonly boolean[]> => {
        const limited: boolean[] = []
        for (let count = 0; count < 4; count += 1)
          limited.push((await call('GET', asked, from('203.0.113.1'))).status === 429)
        return limited
      }
      const expected = [false, false, false, true]
      expect([await flood(anonymous, path), await flood(wrong, '/v1/pets')]).toStrictEqual([expected, expected])
      // the log gives the reason even beyond the rate
      expect(requestLines().filter(({ reason }) => reason === 'malformed')).toHaveLength(4)
      expect((await good('GET', '/v1/pets', from('203.0.113.1'))).status).toBe(200)
      // a valid key does not unblock public paths for its address
      expect((await good('GET', path, from('203.0.113.1'))).status).toBe(429)
      expect((await anonymous('GET', path, from('::ffff:203.0.113.1'))).status).toBe(429)
      expect((await anonymous('GET', path, from('203.0.113.2'))).status).not.toBe(429)
      for (const method of ['OPTIONS', 'DELETE'])
        expect((await anonymous(method, '/v1/pets', from('203.0.113.1'))).status).toBe(429)
      expect((await anonymous('GET', '/health/live', from('203.0.113.1'))).status).toBe(200)
      expect((await anonymous('OPTIONS', '/health/live', from('203.0.113.1'))).status).toBe(204)
    },
  )

  it('counts requests that a key has no scope for [rates]', async () => {
    const { issue, url } = await startLimited()
    const call = client(url, (await issue(['orders:read'])).text)
    const statuses: number[] = []
    for (const path of ['/v1/pets', '/v1/store/orders', '/v1/pets', '/v1/pets', '/v1/pets', '/v1/store/orders'])
      statuses.push((await call('GET', path)).status)
    expect(statuses).toStrictEqual([403, 200, 403, 403, 429, 429])
  })

  it('counts requests without a key by address, with wrong keys, and good keys from there do not feel it [rates]', async () => {
    const settings = { rateLimit: { perSecond: 0.1, burst: 3 }, trustedProxies: 1 }
    const { anonymous, call, url } = await startHttp({ settings })
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
    const statuses: number[] = []
    for (const one of [anonymous, client(url, 'ast_live_x'), anonymous, anonymous, client(url, 'ast_live_x')])
      statuses.push((await one('GET', '/v1/pets', from('203.0.113.1'))).status)
    expect(statuses).toStrictEqual([401, 401, 401, 429, 429])
    expect((await call('GET', '/v1/pets', from('203.0.113.1'))).status).toBe(200)
    expect((await anonymous('GET', '/v1/pets', from('203.0.113.2'))).status).toBe(401)
    // paths without a key have a quota of their own
    expect((await anonymous('GET', '/docs', from('203.0.113.1'))).status).not.toBe(429)
  })

  it('does not count the preflights of pages, whose requests would fail with them [rates] [cors]', async () => {
    const settings = { rateLimit: { perSecond: 0.1, burst: 1 }, corsOrigins: ['https://shop.example'] }
    const { anonymous } = await startHttp({ settings })
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' }
    for (let count = 0; count < 3; count += 1)
      expect((await anonymous('OPTIONS', '/v1/pets', { headers })).status).toBe(204)
    expect([(await anonymous('GET', '/docs')).status, (await anonymous('GET', '/docs')).status]).toEqual([200, 429])
  })

  it('does not exist unless it is configured [rates]', async () => {
    const { call } = await startHttp()
    for (let count = 0; count < 50; count += 1) expect((await call('GET', '/v1/pets')).status).toBe(200)
    expect((await call('GET', '/v1/pets')).headers.get('RateLimit')).toBeNull()
  })
})
