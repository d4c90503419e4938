import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { ApiKey, byAge, canChange, SCOPES, Scope, shouldRecordUse } from '../../../src/domain/api-keys/api-key.js'
import { apiKey, instant } from '../../../src/testing/arbitraries.js'
import { anyApiKey } from '../../../src/testing/samples.js'
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

describe('byAge', () => {
  it('sorts by creation time, then by id', () => {
    const keys = ['2 a', '1 c', '1 a', '1 a', '3 b'].map((text) => {
      const [createdAt, id = ''] = text.split(' ')
      return { ...anyApiKey, id, createdAt: Number(createdAt) }
    })
    const sorted = keys.sort(byAge).map(({ createdAt, id }) => `${createdAt} ${id}`)
    expect(sorted).toStrictEqual(['1 a', '1 a', '1 c', '2 a', '3 b'])
  })
})

describe('shouldRecordUse', () => {
  it('is false if the clock has gone back to before the last use', () => {
    fc.assert(
      fc.property(apiKey(), instant(), fc.nat(), (key, used, back) => {
        expect(shouldRecordUse({ ...key, lastUsedAt: O.some(used) }, used - back)).toBe(false)
      }),
    )
  })
})

describe('canChange', () => {
  const some = O.some('a')
  it.each([
    ['no successor', { successor: some, revokedAt: O.some(1) }, {}, true],
    ['none in place of one', { successor: some, revokedAt: O.none }, { successor: O.none }, true],
    ['a first successor', { successor: O.none, revokedAt: O.none }, { successor: some }, true],
    ['the same successor, even after revocation', { successor: some, revokedAt: O.some(1) }, { successor: some }, true],
    ['a second successor', { successor: some, revokedAt: O.none }, { successor: O.some('b') }, false],
    ['a first successor after revocation', { successor: O.none, revokedAt: O.some(1) }, { successor: some }, false],
  ])('decides on %s', (_, members, change, expected) => {
    expect(canChange({ ...anyApiKey, ...members }, change)).toBe(expected)
  })
})
