import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { byAge, isLive, isUseWorthNoting, SCOPES, Scope } from '../../src/domain/api-key.js'
import { apiKey, instant } from '../../src/testing/arbitraries.js'
import { anyApiKey } from '../support/any-api-key.js'
import { codecSuite, whole } from '../support/codec-suite.js'

describe('Scope', () => {
  codecSuite({
    name: 'Scope',
    codec: Scope,
    values: () => fc.constantFrom(...SCOPES),
    refused: ['pets', 'pets:*', 'Pets:read', 'pets:read ', '', 'orders:write', null, undefined, 0, ['pets:read']].map(
      (input) => [input, whole('must be one of pets:read, pets:write, orders:read')],
    ),
  })

  it.each(['pets:read', 'pets:write', 'orders:read'])('accepts %s', (scope) => {
    expect(Scope.is(scope)).toBe(true)
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

describe('isLive', () => {
  const unrevoked = () => apiKey().map((key) => ({ ...key, revokedAt: O.none }))

  it('is always true for a key that neither expires nor is revoked', () => {
    fc.assert(
      fc.property(unrevoked(), instant(), (key, now) => {
        expect(isLive({ ...key, expiresAt: O.none }, now)).toBe(true)
      }),
    )
  })

  it('is true before the expiry, and false from then on', () => {
    fc.assert(
      fc.property(unrevoked(), instant(), fc.nat(), (key, expiry, distance) => {
        const expiring = { ...key, expiresAt: O.some(expiry) }
        expect(isLive(expiring, expiry - 1 - distance)).toBe(true)
        expect(isLive(expiring, expiry + distance)).toBe(false)
        expect(isLive(expiring, expiry)).toBe(false)
      }),
    )
  })

  it('is always false for a revoked key', () => {
    fc.assert(
      fc.property(apiKey(), instant(), instant(), (key, revokedAt, now) => {
        expect(isLive({ ...key, revokedAt: O.some(revokedAt) }, now)).toBe(false)
        expect(isLive({ ...key, expiresAt: O.none, revokedAt: O.some(revokedAt) }, now)).toBe(false)
      }),
    )
  })
})

describe('isUseWorthNoting', () => {
  it('is true for the first use, then once an hour has passed', () => {
    fc.assert(
      fc.property(apiKey(), instant(), fc.nat(3_599_999), fc.nat(), (key, used, within, beyond) => {
        expect(isUseWorthNoting({ ...key, lastUsedAt: O.none }, used)).toBe(true)
        expect(isUseWorthNoting({ ...key, lastUsedAt: O.some(used) }, used + within)).toBe(false)
        expect(isUseWorthNoting({ ...key, lastUsedAt: O.some(used) }, used + 3_600_000 + beyond)).toBe(true)
        expect(isUseWorthNoting({ ...key, lastUsedAt: O.some(used) }, used + 3_600_000)).toBe(true)
      }),
    )
  })

  it('is false if the clock has gone back to before the last use', () => {
    fc.assert(
      fc.property(apiKey(), instant(), fc.nat(), (key, used, back) => {
        expect(isUseWorthNoting({ ...key, lastUsedAt: O.some(used) }, used - back)).toBe(false)
      }),
    )
  })
})
