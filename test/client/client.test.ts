import { describe, expect, it } from 'vitest'
import { orThrow } from '../../src/client/client-error.js'
import { makeClient } from '../../src/client/make-client.js'
import { MAX_INT64, MIN_INT64 } from '../../src/domain/codecs/scalar.js'
import { startHttp } from '../support/http/http-service.js'

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
    expect(await create('Rex')).toStrictEqual({
      ...first,
      value: { pet: { id: 1n, name: 'Rex', categoryId: 1n }, replayed: true },
    })
    expect(await create('Tom')).toMatchObject({
      ok: false,
      error: { _tag: 'idempotency_key_reused' },
      idempotencyKey: 'order-7',
    })
  })

  it('hands on what the service refuses, with every fault of a pet', async () => {
    const client = await start()
    expect(await client.createPet({ name: 'a', categoryId: 1n }, { idempotencyKey: 'a b' })).toMatchObject({
      error: { _tag: 'invalid_parameter', status: 400 },
    })
    const refused = await client.createPet({ name: ' ', categoryId: 2n ** 63n })
    expect(refused).toMatchObject({
      ok: false,
      error: {
        _tag: 'validation_failed',
        status: 400,
        faults: [
          { pointer: '/name', reason: 'must not be only white space' },
          { pointer: '/categoryId', reason: `must be an integer from ${MIN_INT64} to ${MAX_INT64}` },
        ],
      },
    })
  })
})
