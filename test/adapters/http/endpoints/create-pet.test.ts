import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../../../src/domain/pets/pet.js'
import { numbered, record, succeed } from '../../../../src/testing/samples.js'
import { eventsIn } from '../../../support/domain/log-reads.js'
import { type Call, refusal } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const shared = shareHttp()
const create = (body: string, call: Call = shared().call) => call('POST', '/v1/pets', { body })
const refused = (message: unknown) => refusal(400, 'validation_failed', message)

describe('POST /pets', () => {
  it('returns the pet with its id, and its Location [pet create-pet get-pet location]', async () => {
    const { call, url } = await startHttp()
    const { status, text, headers } = await call('POST', '/v1/pets', {
      body: '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
    })
    expect([status, text]).toEqual([201, '{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold"}'])
    expect(headers.get('Location')).toBe(`${url}/v1/pets/1`)
    expect(headers.get('Idempotent-Replayed')).toBeNull()
    expect((await call('GET', '/v1/pets/1')).text).toBe(text)
  })

  it('neither stores nor returns an absent status and unknown members [rule-1 unknown]', async () => {
    const { call, world } = await startHttp()
    const { json } = await call('POST', '/v1/pets', {
      body: '{"id":7,"name":"a","categoryId":1,"owner":{"name":"b"},"__proto__":{"status":"sold"}}',
    })
    const pet = { id: 1n, name: 'a', categoryId: 1n }
    expect(json).toStrictEqual(pet)
    expect((await eventsIn(world)).map((event) => event.pet)).toStrictEqual([pet])
  })

  it('gets 503 once all ids are in use, and stores nothing [ids]', async () => {
    const { call, world } = await startHttp()
    await succeed(world.pets.add(record(numbered(Number(MAX_PET_ID) - 1))))
    const last = await create('{"name":"last","categoryId":1}', call)
    expect(last).toMatchObject({ status: 201, json: { id: MAX_PET_ID } })
    const failure = await create('{"name":"none","categoryId":1}', call)
    expect(failure).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(failure.headers.get('Retry-After')).not.toBeNull()
    expect((await call('GET', '/v1/pets')).json).toMatchObject([{ name: 'last' }, { id: MAX_PET_ID - 1n }])
  })

  it('keeps any name exactly [create-pet name]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (part) => {
        const name = `${part}\0"\\\u2028 e\u0301\u{1f600} `
        const { json } = await create(JSON.stringify({ name, categoryId: 1 }))
        expect(json).toMatchObject({ name })
      }),
      { numRuns: 30 },
    )
  })
})

describe('an integer', () => {
  it.each([
    ['922337203685477580.7e1', '9223372036854775807'],
    [`0.${'0'.repeat(60_000)}1e60001`, '1'],
  ])('may be written as any JSON number: %s [category-id integers]', async (sent, kept) => {
    expect((await create(`{"name":"a","categoryId":${sent}}`)).text).toContain(`"categoryId":${kept}}`)
  })

  it.each([...['0.5', '9223372036854775808', '9'.repeat(60_000)].map((sent) => [sent, '']), ['"7"', ', not a string']])(
    'is refused if its value is not an int64: %s [integers]',
    async (sent, told) => {
      expect(await create(`{"name":"a","categoryId":${sent}}`)).toMatchObject(
        refused(`/categoryId: must be an integer from -9223372036854775808 to 9223372036854775807${told}`),
      )
    },
  )
})

describe('a body that is not a NewPet', () => {
  it.each<[string, string]>([
    ['[]', 'the whole body: must be an object'],
    [
      '{"name":" \\t","status":""}',
      '/name: must not be only white space; /categoryId: is required; /status: must be one of available, pending, sold',
    ],
  ])(
    'is refused with a list of every fault: %s [new-pet create-pet-400 name status-on-create]',
    async (body, message) => {
      expect(await create(body)).toMatchObject(refused(message))
    },
  )

  it('stores nothing [create-pet-400 rule-4]', async () => {
    const { call, world } = await startHttp()
    for (const body of [
      '{}',
      '{"name":"","categoryId":1}',
      '{"name":"a","categoryId":"1"}',
      '{"name":"a","categoryId":1,"status":1}',
    ])
      expect((await create(body, call)).status).toBe(400)
    expect([(await call('GET', '/v1/pets')).text, await eventsIn(world)]).toStrictEqual(['[]', []])
  })
})
