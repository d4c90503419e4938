import { describe, expect, it } from 'vitest'
import { rotateApiKey } from '../../../../src/domain/api-keys/end-api-key.js'
import { succeed } from '../../../../src/testing/samples.js'
import { client, refusal } from '../../../support/http/client.js'
import { startHttp } from '../../../support/http/http-service.js'

const BODY = '{"name":"a","categoryId":1}'
const DAY_MS = 86_400_000

const start = async () => {
  const service = await startHttp()
  const create = (key: string, body = BODY) =>
    service.call('POST', '/v1/pets', { body, headers: { 'Idempotency-Key': key } })
  const total = async () =>
    (await service.call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })).headers.get('X-Total-Count')
  return { ...service, create, total }
}

describe('a retry under the same Idempotency-Key', () => {
  it('gets the first response again, marked as replayed [retries]', async () => {
    const { create, total } = await start()
    const first = await create('k')
    const again = await create('k')
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'))
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true'])
    expect(await total()).toBe('1')
  })

  it.each([' {\n"name" : "\\u0061",\t"categoryId": 1.0 } ', '{"name":"a","categoryId":1e0,"unknown":{"id":7}}'])(
    'is the same request if its NewPet is equal: %j [retries]',
    async (body) => {
      const { create, total } = await start()
      const first = await create('k')
      expect(await create('k', body)).toMatchObject({ status: 201, text: first.text })
      expect(await total()).toBe('1')
    },
  )

  it.each([
    '{"name":"b","categoryId":1}',
    '{"name":"a","categoryId":2}',
    '{"name":"a","categoryId":1,"status":"sold"}',
  ])('is refused for another pet: %s [retries]', async (body) => {
    const { create, total } = await start()
    await create('k')
    const message = 'this Idempotency-Key was used for another pet; use a new key for a new pet'
    expect(await create('k', body)).toMatchObject(refusal(422, 'idempotency_key_reused', message))
    expect(await total()).toBe('1')
  })

  it('adds one pet when retries race [retries]', async () => {
    const { create, total } = await start()
    const responses = await Promise.all(Array.from({ length: 20 }, () => create('k')))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1)
    expect(await total()).toBe('1')
  })

  it('belongs to its API key [retries]', async () => {
    const { create, issue, url, total } = await start()
    await create('k')
    const other = client(url, (await issue()).text)
    const response = await other('POST', '/v1/pets', { body: BODY, headers: { 'Idempotency-Key': 'k' } })
    expect(response.headers.get('Idempotent-Replayed')).toBeNull()
    expect(await total()).toBe('2')
  })

  it('belongs to the successors of its API key too [retries]', async () => {
    const { create, keyId, url, world, total } = await start()
    const first = await create('k')
    let id = keyId
    for (const generation of ['second', 'third']) {
      const successor = await succeed(rotateApiKey(world)({ id, overlapMs: 60_000 }))
      id = successor.key.id
      const call = client(url, successor.text)
      const retry = (body: string) => call('POST', '/v1/pets', { body, headers: { 'Idempotency-Key': 'k' } })
      const again = await retry(BODY)
      expect([again.status, again.text], generation).toEqual([201, first.text])
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect((await retry('{"name":"b","categoryId":1}')).status).toBe(422)
    }
    expect(await total()).toBe('1')
  })

  it('is recognised for 24 hours, not longer [retries]', async () => {
    const { create, world, total } = await start()
    const first = await create('k')
    world.clock.advance(DAY_MS - 1)
    expect((await create('k')).text).toBe(first.text)
    world.clock.advance(1)
    const later = await create('k', '{"name":"b","categoryId":1}')
    expect([later.status, later.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect(await total()).toBe('2')
  })

  it('is refused first for its body, and a refused request does not use up its key [retries]', async () => {
    const { create } = await start()
    expect(await create('k', '{}')).toMatchObject({ json: { code: 'validation_failed' } })
    expect((await create('k')).headers.get('Idempotent-Replayed')).toBeNull()
    expect(await create('k', '{')).toMatchObject({ json: { code: 'malformed_json' } })
    expect(await create('k', '{"name":1,"categoryId":1}')).toMatchObject({ json: { code: 'validation_failed' } })
  })
})

describe('an Idempotency-Key', () => {
  it.each<[string, string]>([
    ['abc', '"abc"'],
    ['a\\b', '"a\\\\b"'],
    ['a"b', '"a\\"b"'],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ])('is the same bare or quoted: %s [retries]', async (bare, quoted) => {
    const { create } = await start()
    await create(bare)
    expect((await create(quoted)).headers.get('Idempotent-Replayed')).toBe('true')
  })

  it.each(['', '""', '"a', 'a b', '\u00e4', '"a"b"', '"\\x"', 'x'.repeat(256)])(
    'is refused if it is malformed: %j [retries]',
    async (key) => {
      const { create, total } = await start()
      const message = 'Idempotency-Key must have 1 to 255 visible characters, quoted or bare'
      expect(await create(key)).toMatchObject(refusal(400, 'invalid_parameter', message))
      expect(await total()).toBe('0')
    },
  )
})
