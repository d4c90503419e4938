import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { StoredCount, StoredInstant } from '../../../../src/adapters/mongodb/documents/decoding.js'
import { instant } from '../../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../../support/domain/codec-suite.js'

describe('StoredCount', () => {
  codecSuite({
    name: 'StoredCount',
    codec: StoredCount,
    values: () => fc.maxSafeNat(),
    refused: [-1, -1n, 1.5, 2 ** 53, 2n ** 53n, 2n ** 63n - 1n, Number.NaN, '0', null].map(
      (input) => [input, whole('must be an integer from 0')] as const,
    ),
  })

  it('reads an int64 as the same number', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (count) => {
        expect(StoredCount.decode(BigInt(count))).toStrictEqual(E.right(count))
      }),
    )
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
