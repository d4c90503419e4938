import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { apiKeyDocument, decodeApiKey } from '../../../src/adapters/mongodb/api-key-store.js'
import { apiKey } from '../../../src/testing/arbitraries.js'
import { anyApiKey } from '../../../src/testing/samples.js'

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
})
