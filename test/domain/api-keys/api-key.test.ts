import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { ApiKey, SCOPES, Scope } from '../../../src/domain/api-keys/api-key.js'
import { apiKey } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('Scope', () => {
  codecSuite({
    name: 'Scope',
    codec: Scope,
    values: () => fc.constantFrom(...SCOPES),
    refused: ['pets', 'pets:*', 'Pets:read', 'pets:read ', '', 'orders:write', null, undefined, 0, ['pets:read']].map(
      (input) => [input, whole('must be one of pets:read, pets:write, orders:read, events:read')],
    ),
  })
})

describe('ApiKey', () => {
  const good = { id: 'k', scopes: ['pets:read'], hash: 'h', createdAt: 1, lineage: 'k' }
  const time = 'must be an integer of milliseconds since 1970'
  const each = (names: readonly string[], reason: string) => names.map((name) => ({ pointer: `/${name}`, reason }))
  codecSuite({
    name: 'ApiKey',
    codec: ApiKey,
    values: apiKey,
    refused: [
      [null, whole('must be an object')],
      [[good], whole('must be an object')],
      [{ lineage: 'k' }, each(['id', 'scopes', 'hash', 'createdAt'], 'is required')],
      [{ ...good, id: 7, name: null, lineage: 7 }, each(['id', 'lineage', 'name'], 'must be a string')],
      [
        { ...good, scopes: ['a'] },
        each(['scopes/0'], 'must be one of pets:read, pets:write, orders:read, events:read'),
      ],
      [{ ...good, createdAt: '1', revokedAt: O.none }, each(['createdAt', 'revokedAt'], time)],
    ],
  })

  it('writes no member that the key lacks', () => {
    expect(E.map(ApiKey.encode)(ApiKey.decode(good))).toStrictEqual(E.right(good))
  })
})
