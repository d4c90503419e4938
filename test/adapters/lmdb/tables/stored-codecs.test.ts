import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { StoredApiKey } from '../../../../src/adapters/lmdb/api-key-store.js'
import { StoredIdempotencyKey } from '../../../../src/adapters/lmdb/tables/idempotency-key-table.js'
import { apiKey } from '../../../../src/testing/arbitraries.js'
import { anyApiKey } from '../../../../src/testing/samples.js'
import { codecSuite, whole } from '../../../support/domain/codec-suite.js'

describe('StoredIdempotencyKey', () => {
  codecSuite({
    name: 'StoredIdempotencyKey',
    codec: StoredIdempotencyKey,
    values: () => fc.record({ petId: fc.maxSafeNat(), expiresAt: fc.maxSafeNat() }, { noNullPrototype: true }),
    refused: [
      [null, whole('must be an object')],
      [{ petId: 1 }, [{ pointer: '/expiresAt', reason: 'is required' }]],
      [{ petId: '1', expiresAt: 2 }, [{ pointer: '/petId', reason: 'must be an integer from 0' }]],
    ],
  })
})

describe('StoredApiKey', () => {
  const time = 'must be an integer of milliseconds since 1970'
  const good = {
    id: 'k',
    name: null,
    scopes: ['pets:read'],
    hash: 'h',
    createdAt: 1,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    successor: null,
    lineage: 'k',
  }
  codecSuite({
    name: 'StoredApiKey',
    codec: StoredApiKey,
    values: apiKey,
    refused: [
      [[good], whole('must be an object')],
      [{ ...good, id: 7 }, [{ pointer: '/id', reason: 'must be a string' }]],
      [{ ...good, name: 7 }, [{ pointer: '/name', reason: 'must be a string' }]],
      [
        { ...good, scopes: ['pets:read', 'pets:eat'] },
        [{ pointer: '/scopes/1', reason: 'must be one of pets:read, pets:write, orders:read, events:read' }],
      ],
      [{ ...good, createdAt: '1' }, [{ pointer: '/createdAt', reason: time }]],
      [{ ...good, hash: null }, [{ pointer: '/hash', reason: 'is required' }]],
      [{ ...good, revokedAt: O.none }, [{ pointer: '/revokedAt', reason: time }]],
    ],
  })

  it('is stored with null for absent members, as in every version', () => {
    const key = E.getOrElseW(() => anyApiKey)(StoredApiKey.decode(good))
    expect(StoredApiKey.encode(key)).toStrictEqual(good)
  })

  it('accepts a key from a version without successors', () => {
    const { successor: _, ...older } = good
    expect(StoredApiKey.decode(older)).toStrictEqual(StoredApiKey.decode(good))
    expect(E.isRight(StoredApiKey.decode(older))).toBe(true)
  })
})
