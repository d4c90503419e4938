import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { ObjectId } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { apiKeyDocument, decodeApiKey } from '../../../src/adapters/mongodb/api-key-store.js'
import { decodeEvent, decodeHold, makeOrReportAndThrow, petDocument } from '../../../src/adapters/mongodb/documents.js'
import { anyApiKey, eventOf } from '../../../src/testing/samples.js'

const event = { id: 'e', time: new Date(5) }
const pet = { _id: 7n, name: 'Rex', categoryId: 1n, event }
const idempotency = { apiKeyId: 'lineage', key: 'retry-1', generation: 2, expiresAt: new Date(90) }
const held = { _id: 7n, idempotency }
const apiKey = { _id: 'k', scopes: ['pets:read'], hash: 'h', createdAt: new Date(1), lineage: 'k' }

describe('a document', () => {
  it('of a pet holds the event, and the idempotency key if there is one', () => {
    const created = { ...eventOf({ id: 7n, name: 'Rex', categoryId: 1n }, { eventId: 'e' }), time: 5 }
    expect(petDocument({ event: created, idempotencyKey: O.none })).toStrictEqual(pet)
    const idempotencyKey = O.some({ lineage: 'k', key: 'retry-1', expiresAt: 90 })
    expect(petDocument({ event: created, idempotencyKey })).toStrictEqual({
      ...pet,
      idempotency: { apiKeyId: 'k', key: 'retry-1', generation: 0, expiresAt: new Date(90) },
    })
  })

  it('of a pet may come from another program, with int32 for int64 and unknown members', () => {
    expect(decodeEvent({ ...pet, _id: 7, categoryId: -1, colour: 'brown' })).toStrictEqual(
      E.right({ _tag: 'PetCreated', eventId: 'e', time: 5, pet: { id: 7n, name: 'Rex', categoryId: -1n } }),
    )
  })

  it('of an API key holds dates, and no member that the key lacks', () => {
    const key = E.getOrElseW(() => anyApiKey)(decodeApiKey(apiKey))
    expect(apiKeyDocument(key)).toStrictEqual(apiKey)
  })

  it.each<readonly [string, (document: object) => E.Either<unknown, unknown>, object, string, string]>([
    ['pet', decodeEvent, { ...pet, _id: 'seven' }, 'seven', '/_id: must be an integer from 1 to 9007199254740991'],
    ['pet', decodeEvent, { ...pet, categoryId: 2n ** 63n }, '7', '/categoryId: must be an integer from -9223372036854'],
    ['pet', decodeEvent, { ...pet, name: 1, status: 'x' }, '7', '/name: must be a string; /status: must be one of'],
    ['pet', decodeEvent, { ...pet, event: { id: 'e', time: 5 } }, '7', '/event/time: must be a date'],
    [
      'pet',
      decodeEvent,
      { ...pet, event: { id: 'e', time: new Date(Number.NaN) } },
      '7',
      '/event/time: must be a date',
    ],
    ['idempotency key', decodeHold, { _id: 7n }, '7', '/idempotency: is required'],
    [
      'idempotency key',
      decodeHold,
      { _id: 7n, idempotency: { ...idempotency, generation: 0.5, expiresAt: 9 } },
      '7',
      '/idempotency/generation: must be an integer from 0; /idempotency/expiresAt: must be a date',
    ],
    ['API key', decodeApiKey, { ...apiKey, scopes: ['pets:eat'] }, 'k', '/scopes/0: must be one of pets:read, '],
    ['API key', decodeApiKey, { ...apiKey, expiresAt: null }, 'k', '/expiresAt: must be a date'],
  ])('of a damaged %s names the place of the fault', (kind, decode, document, id, reason) => {
    expect(decode(document)).toStrictEqual(E.left({ record: kind, id, reason: expect.stringContaining(reason) }))
  })

  it('of an idempotency key is decoded with its generation, or reported if it is damaged, and fails the call', () => {
    const hold = { lineage: 'lineage', key: 'retry-1', generation: 2, expiresAt: 90 }
    expect(makeOrReportAndThrow(() => expect.unreachable())(decodeHold(held))).toStrictEqual(hold)
    const reported: unknown[] = []
    expect(() => makeOrReportAndThrow((one) => reported.push(one))(decodeHold({ _id: 7n }))).toThrow(
      'the idempotency key 7 cannot be decoded: /idempotency',
    )
    expect(reported).toMatchObject([{ record: 'idempotency key', id: '7' }])
  })

  it.each<readonly [unknown, string]>([
    ['k', 'k'],
    [7n, '7'],
    [{ shop: 7n }, '{"shop":7}'],
    [new Date(0), '{"$date":"1970-01-01T00:00:00Z"}'],
    [new ObjectId('65f000000000000000000001'), '65f000000000000000000001'],
  ])('is reported with an id that can be looked up: %s', (_id, id) => {
    expect(decodeApiKey({ _id })).toMatchObject(E.left({ id }))
  })
})
