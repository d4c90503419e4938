import { describe, expect, it } from 'vitest'
import { shareHttp, startHttp } from '../../support/http/http-service.js'

const BODY = '{"name":"Rex","categoryId":1}'

describe('the second time', () => {
  const shared = shareHttp()

  it.each(['/v1/pets/1', '/v1/nope'])('links of %s lead to the public address of their own service', async (path) => {
    const origins = ['https://one.example', 'https://two.example']
    const links = origins.map(async (origin) => {
      const { call } = await startHttp({ settings: { publicUrl: `${origin}/v1` } })
      return (await call('GET', path)).headers.get('Link')
    })
    for (const [at, link] of (await Promise.all(links)).entries()) {
      expect(link).toContain(`<${origins[at]}/`)
      expect(link).not.toContain(`<${origins[1 - at]}/`)
    }
  })

  it.each<[string, object]>([
    ['a wrong key', { headers: { Authorization: 'Bearer wrong' } }],
    ['a malformed body', { body: '{' }],
    ['a body of another type', { body: BODY, headers: { 'Content-Type': 'text/plain' } }],
    ['a malformed idempotency key', { body: BODY, headers: { 'Idempotency-Key': '' } }],
  ])('a good create succeeds after %s, and so does the next', async (_, bad) => {
    const { call } = shared()
    for (const _again of [1, 2]) {
      expect((await call('POST', '/v1/pets', bad)).status).toBeGreaterThanOrEqual(400)
      expect((await call('POST', '/v1/pets', { body: BODY })).status).toBe(201)
    }
  })

  it('a list without a limit has 20 pets, also with the filter of more ids [limit id-filter]', async () => {
    const { call } = await startHttp()
    for (const _ of Array.from({ length: 25 })) await call('POST', '/v1/pets', { body: BODY })
    const ids = Array.from({ length: 25 }, (_, at) => `id=${at + 1}`).join('&')
    for (const query of ['', `?${ids}`]) expect((await call('GET', `/v1/pets${query}`)).json).toHaveLength(20)
  })
})
