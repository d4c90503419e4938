import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { decideMerge, mergeApiKeys } from '../../../src/domain/archive/decide-merge.js'
import { apiKey } from '../../../src/testing/arbitraries.js'
import { anyApiKey } from '../../../src/testing/samples.js'

/** States of one key, as different moments of its life show them. */
const states = (): fc.Arbitrary<readonly [ApiKey, ApiKey, ApiKey]> =>
  fc.tuple(apiKey(), apiKey(), apiKey()).map(([key, second, third]) => {
    const stateOf = ({ expiresAt, revokedAt, lastUsedAt, successor }: ApiKey): ApiKey => ({
      ...key,
      expiresAt,
      revokedAt,
      lastUsedAt,
      // a key has one successor at most
      successor: O.isSome(successor) ? key.successor : O.none,
    })
    return [key, stateOf(second), stateOf(third)]
  })

const merged = (one: ApiKey, other: ApiKey): ApiKey => {
  const key = mergeApiKeys(one, other)
  if (E.isLeft(key)) throw new Error(key.left)
  return key.right
}

describe('mergeApiKeys', () => {
  it('returns the same key in whatever order, and however often, the states arrive', () => {
    fc.assert(
      fc.property(states(), ([one, two, three]) => {
        expect(merged(one, two)).toStrictEqual(merged(two, one))
        expect(merged(merged(one, two), three)).toStrictEqual(merged(one, merged(two, three)))
        expect(merged(one, one)).toStrictEqual(one)
        expect(merged(merged(one, two), two)).toStrictEqual(merged(one, two))
      }),
    )
  })

  it('takes the earliest end, the latest use and the successor', () => {
    const one = { ...anyApiKey, expiresAt: O.some(5), revokedAt: O.some(9), lastUsedAt: O.some(3) }
    const other = {
      ...anyApiKey,
      expiresAt: O.some(6),
      revokedAt: O.some(8),
      lastUsedAt: O.some(4),
      successor: O.some('b'),
    }
    expect(merged(one, other)).toStrictEqual({
      ...anyApiKey,
      expiresAt: O.some(5),
      revokedAt: O.some(8),
      lastUsedAt: O.some(4),
      successor: O.some('b'),
    })
  })

  it.each<readonly [keyof ApiKey, Partial<ApiKey>]>([
    ['id', { id: 'b' }],
    ['name', { name: O.some('x') }],
    ['scopes', { scopes: ['pets:write'] }],
    ['hash', { hash: '1'.repeat(64) }],
    ['createdAt', { createdAt: 1 }],
    ['lineage', { lineage: 'b' }],
    ['successor', { successor: O.some('b') }],
  ])('names the member that tells two keys apart: %s', (member, changes) => {
    const key = { ...anyApiKey, successor: O.some('a') }
    expect(mergeApiKeys(key, { ...key, ...changes })).toStrictEqual(E.left(member))
  })
})

describe('the decision about an API key', () => {
  it.each<Partial<ApiKey>>([
    { expiresAt: O.some(1) },
    { revokedAt: O.some(1) },
    { lastUsedAt: O.some(1) },
    { successor: O.some('b') },
  ])('updates a key that lacks %j, and changes nothing the second time', (changes) => {
    const newer = { ...anyApiKey, ...changes }
    const decide = (stored: ApiKey) => decideMerge.ApiKey({ _tag: 'ApiKey', key: newer }, E.right(O.some(stored)))
    expect(decide(anyApiKey)).toStrictEqual({ write: O.some(newer), result: { _tag: 'Updated' } })
    expect(decide(newer)).toStrictEqual({ write: O.none, result: { _tag: 'Unchanged' } })
  })
})
