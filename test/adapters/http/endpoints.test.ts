// Every endpoint is a function from a plain value to a plain value: no server, no Koa.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { deprecated } from '../../../src/adapters/http/deprecated.js'
import { muted } from '../../../src/adapters/http/error-reply.js'
import { fieldOf } from '../../../src/adapters/http/messages/headers.js'
import { live, ready } from '../../../src/adapters/http/endpoints/health.js'
import { byMethod } from '../../../src/adapters/http/methods.js'
import { listOrders } from '../../../src/adapters/http/endpoints/orders.js'
import { createPet, getOnePet, listAllPets } from '../../../src/adapters/http/endpoints/pets.js'
import { jsonReply } from '../../../src/adapters/http/messages/reply.js'
import { secured } from '../../../src/adapters/http/secured.js'
import type { Caller } from '../../../src/domain/authenticate.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Pet } from '../../../src/domain/pet.js'
import { plainRequest } from '../../support/plain-request.js'

const CALLER: Caller = { keyId: 'key', scopes: ['pets:read', 'pets:write', 'orders:read'] }
const REX: Pet = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('createPet', () => {
  it('hands the body and the retry to its use case, and writes the pet', async () => {
    const endpoint = createPet((input) => {
      expect(input.newPet).toEqual({ name: 'Rex', categoryId: 9_223_372_036_854_775_807n })
      expect(input.retry).toEqual(O.some({ apiKeyId: 'key', key: 'k' }))
      return TE.right({ pet: REX, replayed: true })
    })
    const body = '{"name":"Rex","categoryId":9223372036854775807}'
    const request = plainRequest({ method: 'POST', headers: { ...JSON_TYPE, 'idempotency-key': '"k"' }, body })
    expect(await endpoint(request, CALLER)).toEqual({
      status: 201,
      headers: [
        ['Content-Type', 'application/json'],
        ['Location', 'http://pets.test/v1/pets/7'],
        ['Idempotent-Replayed', 'true'],
      ],
      body: '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
    })
  })

  it('does not call its use case for what is no JSON', async () => {
    const endpoint = createPet(() => {
      throw new Error('called')
    })
    expect(await endpoint(plainRequest({ headers: JSON_TYPE, body: '{' }), CALLER)).toMatchObject({ status: 400 })
    expect(await endpoint(plainRequest({ body: '{}' }), CALLER)).toMatchObject({ status: 415 })
  })
})

describe('getOnePet', () => {
  it('answers the pet of the path', async () => {
    const endpoint = getOnePet((id) => (id === 7n ? TE.right(REX) : TE.left({ _tag: 'PetNotFound' })))
    expect(await endpoint(plainRequest({ params: { petId: '7' } }), CALLER)).toMatchObject({ status: 200 })
    expect(await endpoint(plainRequest({ params: { petId: '8' } }), CALLER)).toMatchObject({ status: 404 })
    expect(await endpoint(plainRequest({ params: { petId: '07' } }), CALLER)).toMatchObject({ status: 404 })
  })
})

describe('listAllPets', () => {
  it('links to the page that follows, with a cursor of its own filter', async () => {
    const page = { pets: [REX], next: O.some(7n) }
    const endpoint = listAllPets(({ query, counted }) => {
      expect([query.limit, query.status, counted]).toEqual([1, O.some('sold'), true])
      return TE.right({ page, total: O.some(3) })
    })
    const request = plainRequest({ query: 'limit=1&status=sold', headers: { prefer: 'count=exact' } })
    const first = await endpoint(request, CALLER)
    expect(first.headers).toEqual(
      expect.arrayContaining([
        ['X-Total-Count', '3'],
        ['Preference-Applied', 'count=exact'],
      ]),
    )
    const next = /^<http:\/\/pets\.test\/v1\/pets\?([^>]+)>; rel="next"$/.exec(
      fieldOf(first.headers, 'Link') ?? '',
    )?.[1]
    const second = listAllPets(({ query }) => {
      expect(query.before).toEqual(O.some(7n))
      return TE.right({ page: { pets: [], next: O.none }, total: O.none })
    })
    expect(await second(plainRequest({ query: next ?? '' }), CALLER)).toMatchObject({ status: 200, body: '[]' })
  })

  it('keeps the cause of an outage for the log', async () => {
    const cause = new Error('away')
    const reply = await listAllPets(() => TE.left(unavailable(cause)))(plainRequest(), CALLER)
    expect(reply).toMatchObject({ status: 503, cause, body: expect.not.stringContaining('away') })
  })
})

describe('listOrders', () => {
  it('has none to list', async () => {
    expect(await listOrders(plainRequest({ query: 'limit=5' }), CALLER)).toEqual(jsonReply(200, '[]'))
  })
})

describe('health', () => {
  it('is told by functions too', async () => {
    const answering = TE.right(undefined)
    expect((await live(plainRequest())).status).toBe(200)
    expect((await ready(answering, () => false)(plainRequest())).status).toBe(200)
    expect((await ready(answering, () => true)(plainRequest())).status).toBe(503)
    expect((await ready(TE.left(unavailable(1)), () => false)(plainRequest())).status).toBe(503)
  })
})

describe('what wraps endpoints', () => {
  const ok = async () => jsonReply(200, '1')

  it('knows the caller before the endpoint sees the request', async () => {
    const behindKey = secured(() => TE.right({ keyId: 'key', scopes: ['pets:read'] }))
    const request = plainRequest({ headers: { authorization: 'Bearer x' } })
    expect(await behindKey('pets:read', ok)(request)).toMatchObject({ status: 200, keyId: 'key' })
    expect(await behindKey('pets:write', ok)(request)).toMatchObject({ status: 403, keyId: 'key' })
    expect(await behindKey('pets:read', ok)(plainRequest())).toMatchObject({ status: 401 })
    const twice = plainRequest({ headers: { authorization: ['Bearer x', 'Bearer x'] } })
    expect(await behindKey('pets:read', ok)(twice)).toMatchObject({ status: 401 })
  })

  it('tells methods, defects and deprecation', async () => {
    const endpoint = byMethod(new Map([['GET', ok]]))
    expect((await endpoint(plainRequest({ method: 'HEAD' }))).status).toBe(200)
    const refused = await endpoint(plainRequest({ method: 'POST' }))
    expect(fieldOf(refused.headers, 'Allow')).toBe('GET, HEAD, OPTIONS')
    const broken = muted(() => {
      throw new Error('secret')
    })
    expect(await deprecated(broken)(plainRequest())).toMatchObject({
      status: 500,
      headers: expect.arrayContaining([['Deprecation', '@1795219200']]),
      body: expect.not.stringContaining('secret'),
    })
  })
})
