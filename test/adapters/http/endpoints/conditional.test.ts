import { describe, expect, it } from 'vitest'
import { refusal } from '../../../support/http/client.js'
import { startHttp } from '../../../support/http/http-service.js'

const start = async () => {
  const service = await startHttp()
  const add = () => service.call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1,"status":"sold"}' })
  const etagOf = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await service.call('GET', path, { headers })).headers.get('ETag') ?? ''
  await add()
  await add()
  return { ...service, add, etagOf }
}

const PATHS = ['/v1/pets', '/v1/pets?limit=1', '/v1/pets?status=sold', '/v1/pets/1', '/v1/events']

describe('an ETag', () => {
  it.each(PATHS)(
    'of %s is strong, and stays the same while the response does [conditional feed-pages]',
    async (path) => {
      const { call, etagOf } = await start()
      const { headers } = await call('GET', path)
      expect(headers.get('ETag')).toMatch(/^"[\w-]{16,}"$/)
      expect(headers.get('Cache-Control')).toBe('private, no-cache')
      expect(await etagOf(path)).toBe(headers.get('ETag'))
    },
  )

  it('changes with the list, its link and its total', async () => {
    const { add, etagOf } = await start()
    const events = await etagOf('/v1/events')
    const count = { Prefer: 'count=exact' }
    const before = [await etagOf('/v1/pets'), await etagOf('/v1/pets?limit=2'), await etagOf('/v1/pets?id=1', count)]
    expect(await etagOf('/v1/pets?id=1')).not.toBe(before[2])
    // the page with the two oldest pets changes only its link
    await add()
    expect(await etagOf('/v1/pets')).not.toBe(before[0])
    expect(await etagOf('/v1/events')).not.toBe(events)
    expect(await etagOf('/v1/pets?id=1&id=2&limit=1')).not.toBe(await etagOf('/v1/pets?id=2'))
    expect(await etagOf('/v1/pets?id=1', count)).toBe(before[2])
  })
})

describe('If-None-Match', () => {
  it.each(PATHS)('with the ETag of %s gets 304 without a body [conditional feed-pages]', async (path) => {
    const { call } = await start()
    const count = { Prefer: 'count=exact' }
    const fresh = await call('GET', path, { headers: count })
    const etag = fresh.headers.get('ETag') ?? ''
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} ,"y"`, ' * ']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await call(method, path, { headers: { ...count, 'If-None-Match': sent } })
        expect([status, text, headers.get('ETag'), headers.get('Content-Type')]).toEqual([304, '', etag, null])
        for (const kept of ['Link', 'Vary', 'X-Total-Count', 'Preference-Applied'])
          expect(headers.get(kept), kept).toBe(fresh.headers.get(kept))
        expect(headers.get('Cache-Control')).toBe('private, no-cache')
      }
    }
  })

  it('with another ETag gets the whole response', async () => {
    const { call, etagOf } = await start()
    const etag = await etagOf('/v1/pets')
    for (const sent of ['"x"', etag.slice(1, -1), etag.toUpperCase(), `${etag}x`, '"*"', '', 'W/"x", "y"']) {
      expect((await call('GET', '/v1/pets', { headers: { 'If-None-Match': sent } })).status, sent).toBe(200)
    }
  })
})

describe('If-Match', () => {
  const FAILED = refusal(412, 'precondition_failed', 'the ETag of the response is none of those in If-Match')

  it.each(PATHS)('of another response gets 412: %s [conditional]', async (path) => {
    const { call, etagOf } = await start()
    const etag = await etagOf(path)
    for (const sent of ['"x"', `W/${etag}`, `"x", W/${etag}`, etag.slice(1, -1), '"*"', '']) {
      const { status, json, headers } = await call('GET', path, { headers: { 'If-Match': sent } })
      expect({ status, json }, sent).toEqual(FAILED)
      expect([headers.get('ETag'), headers.get('Cache-Control')]).toEqual([null, 'no-store'])
      expect(await call('HEAD', path, { headers: { 'If-Match': sent } })).toMatchObject({ status: 412, text: '' })
    }
  })

  it('is evaluated before If-None-Match [conditional]', async () => {
    const { call, etagOf } = await start()
    const etag = await etagOf('/v1/pets')
    const statusOf = async (match: string, noneMatch: string): Promise<number> =>
      (await call('GET', '/v1/pets', { headers: { 'If-Match': match, 'If-None-Match': noneMatch } })).status
    expect(await statusOf('"x"', etag)).toBe(412)
    expect(await statusOf(etag, etag)).toBe(304)
    expect(await statusOf('*', '"x"')).toBe(200)
  })
})

it.each<readonly [string, string, string | undefined]>([
  ['If-Match', 'ETAG', 'a create meets no If-Match but *'],
  ['If-Match', '*, "x"', 'a create meets no If-Match but *'],
  ['If-Match', '*', undefined],
  ['If-None-Match', '*', 'a create never meets If-None-Match: *'],
  ['If-None-Match', 'ETAG', undefined],
  ['If-None-Match', '"*"', undefined],
])(
  'a create under a condition stores nothing and is 412 unless it holds: %s: %s [conditional rule-4]',
  async (name, value, message) => {
    const { call } = await startHttp()
    const body = '{"name":"a","categoryId":1}'
    const etag = (await call('GET', '/v1/pets')).headers.get('ETag') ?? ''
    const headers = { [name]: value.replace('ETAG', etag), 'Idempotency-Key': 'k' }
    const { status, json } = await call('POST', '/v1/pets', { headers, body })
    const { headers: listed } = await call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })
    const refused = { code: 'precondition_failed', message, status: 412n }
    expect([status, listed.get('X-Total-Count')]).toStrictEqual(message === undefined ? [201, '1'] : [412, '0'])
    expect(json).toMatchObject(message === undefined ? { id: 1n } : refused)
    // a failed precondition does not use up the idempotency key either
    const other = { headers: { 'Idempotency-Key': 'k' }, body: body.replace('"a"', '"b"') }
    expect((await call('POST', '/v1/pets', other)).status).toBe(message === undefined ? 422 : 201)
  },
)
