// Endpoints as functions of plain values, without a server or Koa.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { liveEndpoint, readyEndpoint } from '../../../../src/adapters/http/endpoints/health.js'
import {
  createPetEndpoint,
  getPetEndpoint,
  listOrdersEndpoint,
  listPetsEndpoint,
  removedEndpoint,
} from '../../../../src/adapters/http/endpoints/pets.js'
import { fieldOf, jsonReply } from '../../../../src/adapters/http/messages/message.js'
import { nodeCrypto } from '../../../../src/adapters/node/system.js'
import type { Caller } from '../../../../src/domain/api-keys/authenticate.js'
import { unavailable } from '../../../../src/domain/errors.js'
import type { AddPet } from '../../../../src/domain/pets/add-pet.js'
import type { Pet } from '../../../../src/domain/pets/pet.js'
import { plainRequest } from '../../../support/http/plain-request.js'

const CALLER: Caller = {
  keyId: 'key',
  lineage: 'first key',
  scopes: ['pets:read', 'pets:write', 'orders:read', 'events:read'],
}
const { sha256 } = nodeCrypto
const REX: Pet = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' }
const rightOf = <A>(either: E.Either<unknown, A>): A =>
  E.getOrElse((left: unknown): A => {
    throw new Error('expected a success', { cause: left })
  })(either)
const JSON_TYPE = { 'content-type': 'application/json' }

describe('createPetEndpoint', () => {
  const uncalled: AddPet = () => {
    throw new Error('called')
  }

  it('passes the pet and the idempotency key to its use case, and returns the pet', async () => {
    const endpoint = createPetEndpoint((input) => {
      expect(input.newPet).toEqual({ name: 'Rex', categoryId: 9_223_372_036_854_775_807n })
      expect(input.idempotencyKey).toEqual(O.some({ lineage: 'first key', key: 'k' }))
      return TE.right({ pet: REX, replayed: true })
    })
    const headers = { ...JSON_TYPE, 'idempotency-key': '"k"' }
    const accepted = rightOf(endpoint(plainRequest({ method: 'POST', headers }), CALLER))
    expect(await accepted(Buffer.from('{"name":"Rex","categoryId":9223372036854775807}'))).toEqual(
      E.right({
        status: 201,
        headers: [
          ['Content-Type', 'application/json'],
          ['Location', 'http://pets.test/v1/pets/7'],
          ['Idempotent-Replayed', 'true'],
        ],
        body: '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}',
        detail: 'replayed',
      }),
    )
  })

  it('refuses bad headers before it takes the body', () => {
    const endpoint = createPetEndpoint(uncalled)
    expect(endpoint(plainRequest(), CALLER)).toMatchObject({ left: { _tag: 'UnsupportedMediaType' } })
    const headers = { ...JSON_TYPE, 'idempotency-key': '' }
    expect(endpoint(plainRequest({ headers }), CALLER)).toMatchObject({ left: { _tag: 'InvalidParameter' } })
  })

  it('does not call its use case if the body is not JSON', async () => {
    const accepted = rightOf(createPetEndpoint(uncalled)(plainRequest({ headers: JSON_TYPE }), CALLER))
    expect(await accepted(Buffer.from('{'))).toMatchObject({ left: { _tag: 'MalformedJson' } })
  })
})

describe('getPetEndpoint', () => {
  it('returns the pet of the path', async () => {
    const endpoint = getPetEndpoint((id) => (id === 7n ? TE.right(REX) : TE.left({ _tag: 'PetNotFound' })), sha256)
    const get = (petId: string) => endpoint(plainRequest({ params: { petId } }), CALLER)
    expect(await get('7')).toMatchObject({ right: { status: 200 } })
    expect(await get('8')).toMatchObject({ left: { _tag: 'PetNotFound' } })
    expect(await get('07')).toMatchObject({ left: { _tag: 'PetNotFound' } })
    expect(await removedEndpoint(plainRequest(), CALLER)).toMatchObject({ left: { _tag: 'OperationRemoved' } })
  })
})

describe('listPetsEndpoint', () => {
  it('links to the next page, with a cursor for the same filter', async () => {
    const page = { pets: [REX], next: O.some(7n) }
    const endpoint = listPetsEndpoint(({ query, counted }) => {
      expect([query.limit, query.status, counted]).toEqual([1, O.some('sold'), true])
      return TE.right({ page, total: O.some(3) })
    }, sha256)
    const request = plainRequest({ query: 'limit=1&status=sold', headers: { prefer: 'count=exact' } })
    const { headers } = rightOf(await endpoint(request, CALLER))
    expect(headers).toEqual(
      expect.arrayContaining([
        ['X-Total-Count', '3'],
        ['Preference-Applied', 'count=exact'],
      ]),
    )
    const link = /^<http:\/\/pets\.test\/v1\/pets\?([^>]+)>; rel="next"$/.exec(fieldOf(headers, 'Link') ?? '')
    const second = listPetsEndpoint(({ query }) => {
      expect(query.before).toEqual(O.some(7n))
      return TE.right({ page: { pets: [], next: O.none }, total: O.none })
    }, sha256)
    expect(await second(plainRequest({ query: link?.[1] ?? '' }), CALLER)).toMatchObject({ right: { body: '[]' } })
  })

  it('returns an outage with its cause', async () => {
    const outage = unavailable(new Error('away'))
    expect(await listPetsEndpoint(() => TE.left(outage), sha256)(plainRequest(), CALLER)).toEqual(E.left(outage))
  })
})

describe('listOrdersEndpoint', () => {
  it('returns no orders, and checks the limit [orders]', async () => {
    const list = (query: string) => listOrdersEndpoint(plainRequest({ query }), CALLER)
    expect(await list('limit=5')).toEqual(E.right(jsonReply(200, '[]')))
    expect(await list('limit=0')).toMatchObject({ left: { _tag: 'InvalidParameter' } })
  })
})

describe('the health endpoints', () => {
  it('distinguish a live process from a ready one', async () => {
    const responding = TE.right(undefined)
    const [serving, stopping] = [new AbortController().signal, AbortSignal.abort()]
    expect(await liveEndpoint(plainRequest())).toMatchObject({ right: { status: 200 } })
    expect(await readyEndpoint(responding, serving)(plainRequest())).toMatchObject({ right: { status: 200 } })
    expect(await readyEndpoint(responding, stopping)(plainRequest())).toEqual(E.left({ _tag: 'Stopping' }))
    expect(await readyEndpoint(TE.left(unavailable(1)), serving)(plainRequest())).toEqual(E.left(unavailable(1)))
  })
})
