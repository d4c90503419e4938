import { describe, expect, it } from 'vitest'
import { startHttp } from '../../../support/http/http-service.js'

describe('a create under a condition', () => {
  it.each<readonly [string, string, string | undefined]>([
    ['If-Match', 'ETAG', 'a create meets no If-Match but *'],
    ['If-Match', '*, "x"', 'a create meets no If-Match but *'],
    ['If-Match', '"*"', 'a create meets no If-Match but *'],
    ['If-Match', '', 'a create meets no If-Match but *'],
    ['If-Match', '*', undefined],
    ['If-None-Match', '*', 'a create never meets If-None-Match: *'],
    ['If-None-Match', 'ETAG', undefined],
    ['If-None-Match', '"*"', undefined],
    ['If-None-Match', '', undefined],
  ])('stores nothing and is 412 unless it holds: %s: %s [conditional rule-4]', async (name, value, message) => {
    const { call } = await startHttp()
    const body = '{"name":"a","categoryId":1}'
    const etag = (await call('GET', '/v1/pets')).headers.get('ETag') ?? ''
    const headers = { [name]: value.replace('ETAG', etag), 'Idempotency-Key': 'k' }
    const { status, json } = await call('POST', '/v1/pets', { headers, body })
    const { headers: listed } = await call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })
    const refused = { code: 'precondition_failed', message, status: 412n }
    expect([status, listed.get('X-Total-Count')]).toStrictEqual(message === undefined ? [201, '1'] : [412, '0'])
    expect(json).toMatchObject(message === undefined ? { id: 1n } : refused)
    // the key is not used up either
    const again = await call('POST', '/v1/pets', {
      headers: { 'Idempotency-Key': 'k' },
      body: body.replace('"a"', '"b"'),
    })
    expect(again.status).toBe(message === undefined ? 422 : 201)
  })
})
