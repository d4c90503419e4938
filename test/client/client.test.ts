import { describe, expect, it } from 'vitest'
import { orThrow } from '../../src/client/client-error.js'
import { makeClient } from '../../src/client/make-client.js'
import type { Platform } from '../../src/client/platform.js'
import { MAX_INT64, MIN_INT64 } from '../../src/domain/codecs/scalar.js'
import { startHttp } from '../support/http/http-service.js'
import { created, makeVirtualTime, PET, scripted, unavailable } from './scripted-service.js'

const start = async () => {
  const { url, key } = await startHttp()
  return makeClient({ baseUrl: `${url}/v1`, apiKey: key })
}

describe('the client', () => {
  it('keeps integers exact, and an absent status absent', async () => {
    const client = await start()
    const max = orThrow(await client.createPet({ name: 'Max', categoryId: MAX_INT64, status: 'sold' })).pet
    const min = orThrow(await client.createPet({ name: 'Min', categoryId: MIN_INT64 })).pet
    expect(max).toStrictEqual({ id: 1n, name: 'Max', categoryId: MAX_INT64, status: 'sold' })
    expect(min).toStrictEqual({ id: 2n, name: 'Min', categoryId: MIN_INT64 })
    expect(await client.findPet(2n)).toStrictEqual({ ok: true, value: min })
    expect(await client.findPet(3n)).toStrictEqual({ ok: true, value: undefined })
    // JavaScript callers may pass a number
    expect(await client.findPet(Number(min.id) as never)).toStrictEqual({ ok: true, value: min })
  })

  it('walks through all pages with the filter and limit of the first one', async () => {
    const client = await start()
    for (let at = 0; at < 7; at += 1) {
      orThrow(await client.createPet({ name: String(at), categoryId: 1n, status: at < 5 ? 'available' : 'sold' }))
    }
    const names: (readonly string[])[] = []
    const query = { status: 'available', ids: [1n, 2n, 3n, 4n, 6n], limit: 3, count: true } as const
    for await (const page of client.pages(query)) names.push(orThrow(page).pets.map(({ name }) => name))
    expect(names).toStrictEqual([['3', '2', '1'], ['0']])
    expect(await client.listPets(query)).toMatchObject({ ok: true, value: { total: 4 } })
  })

  it('retries a create under the same key, and refuses another pet under it', async () => {
    const client = await start()
    const create = (name: string) => client.createPet({ name, categoryId: 1n }, { idempotencyKey: 'order-7' })
    const first = await create('Rex')
    expect(first).toMatchObject({ ok: true, value: { replayed: false }, idempotencyKey: 'order-7' })
    const value = { pet: { id: 1n, name: 'Rex', categoryId: 1n }, replayed: true }
    expect(await create('Rex')).toStrictEqual({ ...first, value })
    const reused = { ok: false, error: { _tag: 'idempotency_key_reused' }, idempotencyKey: 'order-7' }
    expect(await create('Tom')).toMatchObject(reused)
  })

  it('hands on what the service refuses, with every fault of a pet', async () => {
    const client = await start()
    expect(await client.createPet({ name: 'a', categoryId: 1n }, { idempotencyKey: 'a b' })).toMatchObject({
      error: { _tag: 'invalid_parameter', status: 400 },
    })
    const faults = [
      { pointer: '/name', reason: 'must not be only white space' },
      { pointer: '/categoryId', reason: `must be an integer from ${MIN_INT64} to ${MAX_INT64}` },
    ]
    const refused = await client.createPet({ name: ' ', categoryId: 2n ** 63n })
    expect(refused).toMatchObject({ ok: false, error: { _tag: 'validation_failed', status: 400, faults } })
  })
})

const ORIGIN = 'https://pets.test'
const make = (baseUrl: string | URL) => () => makeClient({ baseUrl, apiKey: 'ast_live_0123456789' })

describe('the base address of a client', () => {
  it.each([
    'localhost:8080/v1',
    '',
    'ws://pets.test/v1',
    'https://pets.test/v1?a=marker',
    'https://pets.test/v1#marker',
    'https://user:marker@pets.test/v1',
    new URL('https://user:marker@pets.test/v1'),
  ])('is refused: %s', (baseUrl) => {
    expect(make(baseUrl)).toThrow(TypeError)
    expect(make(baseUrl)).toThrow(/^baseUrl: wanted an absolute http or https address without (?!.*marker)/)
  })

  it.each([
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/pets'],
    ['HTTPS://Pets.test/v1/', 'https://pets.test/v1/pets'],
    ['http://[::1]:8080/@shop//v1', 'http://[::1]:8080/@shop//v1/pets'],
    [new URL('https://pets.test/v1'), 'https://pets.test/v1/pets'],
  ])('is kept: %s', async (baseUrl, url) => {
    const { client, seen } = scripted([created()], { baseUrl })
    await client.createPet({ name: 'Rex', categoryId: 1n })
    expect(seen).toMatchObject([{ url }])
  })

  it('is where every request goes, whatever a response or a caller names', async () => {
    const elsewhere = 'https://elsewhere.test/v1/pets?after=1'
    const headers = { Link: `<${elsewhere}>; rel="next"`, Location: elsewhere }
    const { client, seen } = scripted(
      [
        new Response(PET, { status: 201, headers }),
        new Response(`[${PET}]`, { headers }),
        new Response('[]'),
        new Response('[]', { headers }),
        new Response(null, { status: 307, headers }),
        new Response(null, { status: 307, headers }),
      ],
      { baseUrl: `${ORIGIN}/v1`, maxAttempts: 1 },
    )
    await client.createPet({ name: 'Rex', categoryId: 1n })
    for await (const page of client.pages()) expect(page.ok).toBe(true)
    for (const next of ['@elsewhere.test', '//elsewhere.test', elsewhere]) await client.listPets({ next })
    for await (const event of client.events({ after: elsewhere })) expect(event.ok).toBe(false)
    expect(new Set(seen.map(({ url }) => new URL(url).origin))).toStrictEqual(new Set([ORIGIN]))
    expect(seen.length).toBeGreaterThanOrEqual(7)
  })
})

it('a call sends nothing more if a pause took longer than it has time, as on a machine that slept', async () => {
  let slept = 0
  const time = makeVirtualTime()
  const schedule: Platform['schedule'] = (delayMs, run) =>
    time.schedule(delayMs, () => {
      slept += 60_000
      run()
    })
  const { client, seen } = scripted([unavailable()], { platform: { now: () => time.now() + slept, schedule } })
  expect(await time.whole(client.listPets())).toMatchObject({ error: { _tag: 'unavailable' } })
  expect(seen).toHaveLength(1)
})
