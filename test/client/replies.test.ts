import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parse as parseLossless } from 'lossless-json'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type ClientError, ClientFailure, ERROR_CODES, orThrow } from '../../src/client/client-error.js'
import type * as client from '../../src/client/pet.js'
import { type PetFilter as ClientFilter, eventOf } from '../../src/client/pet.js'
import { cloudEventJson } from '../../src/domain/events/cloud-event.js'
import { parseJson } from '../../src/domain/json/parse-json.js'
import * as domain from '../../src/domain/pets/pet.js'
import { petsJson } from '../../src/domain/pets/pet.js'
import { ALL_PETS, type PetFilter } from '../../src/domain/pets/pet-query.js'
import { domainEvent, newPet, pet } from '../../src/testing/arbitraries.js'
import { schemas } from '../support/documents/openapi-document.js'
import { created, errorReply, KEY, PET, scripted } from './scripted-service.js'

describe('the types of the client', () => {
  it('equal those of the domain', () => {
    expectTypeOf<domain.Pet>().toExtend<client.Pet>()
    expectTypeOf<client.Pet['status']>().toEqualTypeOf<domain.Pet['status']>()
    expectTypeOf<keyof client.Pet>().toEqualTypeOf<keyof domain.Pet>()
    expectTypeOf<keyof client.NewPet>().toEqualTypeOf<keyof domain.NewPet>()
    expectTypeOf<keyof ClientFilter>().toEqualTypeOf<keyof PetFilter>()
    const pet: client.Pet = { id: 1n, name: 'Rex', categoryId: 2n }
    expect(domain.Pet.is(pet)).toBe(true)
  })

  it('have every filter and every tag of an error in docs/client.md', () => {
    const text = readFileSync('docs/client.md', 'utf8')
    expect(/`listPets\(\{ (.+?), limit/.exec(text)?.[1]?.split(', ')).toStrictEqual(Object.keys(ALL_PETS))
    const own = ['network', 'timeout', 'aborted', 'unexpected_reply', 'unknown_code', 'invalid_request']
    expect(own.filter((tag) => !text.includes(`\`${tag}\``))).toStrictEqual([])
  })

  it('tag errors with a closed set, so that a switch is exhaustive: the codes in openapi.yaml, and those of the client', () => {
    type Own = 'network' | 'timeout' | 'aborted' | 'invalid_request' | 'unexpected_reply' | 'unknown_code'
    expectTypeOf<ClientError['_tag']>().toEqualTypeOf<Own | (typeof ERROR_CODES)[number]>()
    expect(schemas['Error']).toMatchObject({ properties: { code: { 'x-extensible-enum': [...ERROR_CODES] } } })
  })
})

describe('a reply', () => {
  const resultOf = async (reply: Response, id = 1n) => {
    const { client, time } = scripted([reply], { maxAttempts: 1 })
    return time.whole(client.findPet(id))
  }

  it('with another pet has not the one that was asked for', async () => {
    const other = new Response('[{"id":2,"name":"a","categoryId":1}]')
    expect(await resultOf(other)).toStrictEqual({ ok: true, value: undefined })
  })

  it.each([
    ['no JSON', new Response('<h1>Welcome</h1>')],
    ['not a list', new Response(PET)],
    ['an unknown status of a pet', new Response('[{"id":1,"name":"a","categoryId":1,"status":"gone"}]')],
    ['an error with another status', new Response('{"code":"a","message":"b","status":404}', { status: 400 })],
    ['a redirection', new Response('', { status: 301, headers: { Location: 'https://elsewhere.test/' } })],
  ])('is an unexpected reply: %s', async (_, reply) => {
    const { status } = reply
    expect(await resultOf(reply)).toMatchObject({ ok: false, error: { _tag: 'unexpected_reply', status } })
  })

  it.each(['', '?after=1'])('is an unexpected reply: a page that leads to itself %j', async (next) => {
    const { client } = scripted([new Response('[]', { headers: { Link: `</v1/pets${next}>; rel="next"` } })])
    expect(await client.listPets({ next })).toMatchObject({ error: { _tag: 'unexpected_reply' } })
  })

  it('is read without unknown members', async () => {
    const reply = new Response('[{"id":1,"name":"a","categoryId":-9223372036854775808,"status":"sold","price":1}]')
    const pet = { id: 1n, name: 'a', categoryId: -(2n ** 63n), status: 'sold' }
    expect(await resultOf(reply)).toStrictEqual({ ok: true, value: pet })
  })

  it('has every member of any pet', async () => {
    await fc.assert(
      fc.asyncProperty(pet(), async (any) => {
        expect(await resultOf(new Response(petsJson([any])), any.id)).toStrictEqual({ ok: true, value: any })
      }),
    )
  })

  it('contains the request id in an error', async () => {
    const reply = errorReply(401, 'invalid_api_key', { 'X-Request-Id': 'r-1' })
    expect(await resultOf(reply)).toStrictEqual({
      ok: false,
      error: { _tag: 'invalid_api_key', message: 'no', status: 401, requestId: 'r-1', retryAfterMs: undefined },
    })
  })

  it.each([
    '<https://other.test/v1/pets?limit=1&cursor=a%2Cb>; rel="next"',
    '<https://pets.test/docs>; rel="help", <https://pets.test/v1/pets?limit=1&cursor=a%2Cb>; rel="next"',
  ])('is continued by the query of its link, at the same host: %s', async (link) => {
    const first = new Response(`[${PET}]`, { headers: { Link: link } })
    const { client, seen } = scripted([first, new Response('[]')])
    const pages = []
    for await (const page of client.pages({ limit: 1 })) pages.push(orThrow(page).pets.length)
    expect(pages).toStrictEqual([1, 0])
    expect(seen.map(({ url }) => url)).toStrictEqual([
      'https://pets.test/v1/pets?limit=1',
      'https://pets.test/v1/pets?limit=1&cursor=a%2Cb',
    ])
  })
})

it('the client knows every event that is published', () => {
  const settings = { source: 'https://pets.test/v1', typePrefix: 'org.animal-store' }
  fc.assert(
    fc.property(domainEvent(), (event) => {
      const read = eventOf(E.toUnion(parseJson(cloudEventJson(event, settings))), '7')
      expect(read).toMatchObject({ id: event.eventId, position: '7' })
    }),
  )
})

describe('a client', () => {
  it('sends every member of any new pet', async () => {
    await fc.assert(
      fc.asyncProperty(newPet(), async (any) => {
        const { client, seen } = scripted([created()])
        await client.createPet(any)
        expect(domain.NewPet.decode(parseLossless(seen[0]?.body ?? '', undefined, BigInt))).toStrictEqual(E.right(any))
      }),
    )
  })

  it('sends nothing that HTTP cannot express, and never shows the key', async () => {
    const { client, seen, time } = scripted([], { apiKey: `${KEY}\u0416` })
    const result = await time.whole(client.createPet({ name: 'a', categoryId: 1n }))
    expect(result).toMatchObject({ ok: false, error: { _tag: 'invalid_request' } })
    expect(JSON.stringify(result)).not.toContain(KEY)
    expect(seen).toHaveLength(0)
  })

  it('sends no request for an empty list of ids', async () => {
    const { client, seen } = scripted([])
    const value = { pets: [], next: undefined, total: undefined }
    expect(await client.listPets({ ids: [] })).toStrictEqual({ ok: true, value })
    expect(seen).toHaveLength(0)
  })

  it('can throw errors instead', async () => {
    const { client } = scripted([errorReply(404, 'route_not_found')])
    const failure: unknown = await client
      .findPet(1n)
      .then(orThrow)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ClientFailure)
    expect(failure).toMatchObject({ message: 'route_not_found: no', error: { _tag: 'route_not_found', status: 404 } })
  })
})
