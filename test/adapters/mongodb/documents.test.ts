import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { ObjectId } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { apiKeyDocument, decodeApiKey } from '../../../src/adapters/mongodb/api-key-store.js'
import {
  decodeEvent,
  decodeHold,
  petDocument,
  StoredInstant,
  soundOrThrow,
} from '../../../src/adapters/mongodb/documents.js'
import { apiKey, instant, petCreated } from '../../../src/testing/arbitraries.js'
import { anyApiKey, eventOf } from '../../../src/testing/samples.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('the document of a pet', () => {
  it('decodes to the same pet and event, with anything else committed beside it', () => {
    const key = { lineage: 'k', key: 'retry-1', expiresAt: 86_400_000 }
    fc.assert(
      fc.property(petCreated(), fc.boolean(), (event, isRetriable) => {
        const document = petDocument({ event, idempotencyKey: isRetriable ? O.some(key) : O.none })
        expect(decodeEvent(document)).toStrictEqual(E.right(event))
      }),
    )
  })

  it('holds the event, and the idempotency key if there is one', () => {
    const event = { ...eventOf({ id: 7n, name: 'Rex', categoryId: 1n }), time: 5 }
    const document = { _id: 7n, name: 'Rex', categoryId: 1n, event: { id: event.eventId, time: new Date(5) } }
    expect(petDocument({ event, idempotencyKey: O.none })).toStrictEqual(document)
    const idempotencyKey = O.some({ lineage: 'k', key: 'retry-1', expiresAt: 90 })
    expect(petDocument({ event, idempotencyKey })).toStrictEqual({
      ...document,
      idempotency: { apiKeyId: 'k', key: 'retry-1', turn: 0, expiresAt: new Date(90) },
    })
  })

  const event = { id: 'e', time: new Date(5) }
  const good = { _id: 7n, name: 'Rex', categoryId: 1n, event }

  it('may come from another program, with int32 for int64 and unknown members', () => {
    expect(decodeEvent({ ...good, _id: 7, categoryId: -1, colour: 'brown' })).toStrictEqual(
      E.right({ _tag: 'PetCreated', eventId: 'e', time: 5, pet: { id: 7n, name: 'Rex', categoryId: -1n } }),
    )
  })

  const int64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'

  it.each<readonly [string, object, string, string]>([
    ['whose id is a text', { ...good, _id: 'seven' }, 'seven', '/_id: must be an integer from 1 to 9007199254740991'],
    ['whose id no pet may have', { ...good, _id: 0n }, '0', '/_id: must be an integer from 1 to 9007199254740991'],
    ['without a name', { _id: 7n, categoryId: 1n, event }, '7', '/name: is required'],
    ['with a category beyond int64', { ...good, categoryId: 2n ** 63n }, '7', `/categoryId: ${int64}`],
    ['with two faults', { ...good, name: 1, status: 'x' }, '7', '/name: must be a string; /status: must be one of'],
    ['without its event', { _id: 7n, name: 'Rex', categoryId: 1n }, '7', '/event: is required'],
    ['whose event has no id', { ...good, event: { time: event.time } }, '7', '/event/id: is required'],
    ['whose time is a number', { ...good, event: { id: 'e', time: 5 } }, '7', '/event/time: must be a date'],
  ])('is damaged, with the place of the fault: one %s', (_, document, id, reason) => {
    expect(decodeEvent(document)).toStrictEqual(E.left({ record: 'pet', id, reason: expect.stringContaining(reason) }))
  })
})

describe('the idempotency key of a document', () => {
  const idempotency = { apiKeyId: 'lineage', key: 'retry-1', turn: 2, expiresAt: new Date(90) }

  it('is decoded with its lineage and its turn', () => {
    const hold = E.right({ lineage: 'lineage', key: 'retry-1', turn: 2, expiresAt: 90 })
    expect(decodeHold({ _id: 7n, idempotency })).toStrictEqual(hold)
  })

  it.each<readonly [string, object, string]>([
    ['is missing', {}, '/idempotency: is required'],
    ['has no lineage', { idempotency: { ...idempotency, apiKeyId: 1 } }, '/idempotency/apiKeyId: must be a string'],
    ['has no text', { idempotency: { ...idempotency, key: null } }, '/idempotency/key: must be a string'],
    ['has no turn', { idempotency: { ...idempotency, turn: null } }, '/idempotency/turn: must be an integer from 0'],
    ['has half a turn', { idempotency: { ...idempotency, turn: 0.5 } }, '/idempotency/turn: must be an integer from 0'],
    ['never expires', { idempotency: { ...idempotency, expiresAt: 9 } }, '/idempotency/expiresAt: must be a date'],
  ])('is damaged if it %s: that is reported, and fails the call', (_, members, reason) => {
    const damage = { record: 'idempotency key', id: '7', reason: expect.stringContaining(reason) }
    const decoded = decodeHold({ _id: 7n, ...members })
    expect(decoded).toStrictEqual(E.left(damage))
    const reported: unknown[] = []
    expect(() => soundOrThrow((one) => reported.push(one))(decoded)).toThrow(
      'the idempotency key 7 cannot be decoded: /idempotency',
    )
    expect(reported).toStrictEqual([damage])
  })

  it('is what was decoded, if it is sound', () => {
    expect(soundOrThrow(() => expect.unreachable())(E.right(5))).toBe(5)
  })
})

describe('StoredInstant', () => {
  codecSuite({
    name: 'StoredInstant',
    codec: StoredInstant,
    values: instant,
    refused: ['2026-11-21', null, Number.NaN, 1.5, new Date(Number.NaN)].map(
      (input) => [input, whole('must be a date')] as const,
    ),
  })
})

describe('the document of an API key', () => {
  it('returns every key exactly as stored', () => {
    fc.assert(
      fc.property(apiKey(), (key) => {
        expect(decodeApiKey(apiKeyDocument(key))).toStrictEqual(E.right(key))
      }),
    )
  })

  const good = { _id: 'k', scopes: ['pets:read'], hash: 'h', createdAt: new Date(1), lineage: 'k' }

  it('holds dates, and no member that the key lacks', () => {
    const key = E.getOrElseW(() => anyApiKey)(decodeApiKey(good))
    expect(apiKeyDocument(key)).toStrictEqual(good)
  })

  it.each<readonly [string, object, string]>([
    [
      'without members',
      { _id: 'k' },
      '/scopes: is required; /hash: is required; /createdAt: is required; /lineage: is required',
    ],
    ['with a scope of its own', { ...good, scopes: ['pets:eat'] }, '/scopes/0: must be one of pets:read, '],
    ['whose time is a text', { ...good, createdAt: '1' }, '/createdAt: must be a date'],
    ['whose expiry is null', { ...good, expiresAt: null }, '/expiresAt: must be a date'],
  ])('is damaged: one %s', (_, document, reason) => {
    expect(decodeApiKey(document)).toMatchObject(E.left({ record: 'API key', reason: expect.stringContaining(reason) }))
  })

  it('is damaged if it is not an object', () => {
    expect(decodeApiKey(null)).toStrictEqual(E.left({ record: 'API key', id: 'null', reason: 'must be an object' }))
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
