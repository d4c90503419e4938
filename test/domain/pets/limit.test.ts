import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMIT, Limit, LimitFromString, MAX_LIMIT, MIN_LIMIT } from '../../../src/domain/pets/limit.js'
import { limit } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

const fault = whole('must be an integer from 1 to 100')

describe('Limit', () => {
  codecSuite({
    name: 'Limit',
    codec: Limit,
    values: limit,
    refused: [0, 101, 1.5, -1, Number.NaN, 5n, '5', null, undefined].map((input) => [input, fault] as const),
  })

  it('is from 1 to 100, and 20 by default', () => {
    expect([MIN_LIMIT, MAX_LIMIT, DEFAULT_LIMIT]).toStrictEqual([1, 100, 20])
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 110 }), (value) => {
        expect(Limit.is(value)).toBe(value >= 1 && value <= 100)
      }),
    )
  })

  it('is in bounds by its type', () => {
    const best: Limit = 100
    // @ts-expect-error no page is empty
    const none: Limit = 0
    // @ts-expect-error a page of the largest size has 100 pets
    const more: Limit = 101
    expect([best, none, more]).toStrictEqual([100, 0, 101])
  })
})

describe('LimitFromString', () => {
  codecSuite({
    name: 'LimitFromString',
    codec: LimitFromString,
    values: limit,
    refused: ['', '0', '101', '1000', '-1', '+5', '05', '5.0', '1e1', ' 5', '5 ', '5\n', '0x5', 'five', '\uff15', null]
      .map((text): readonly [unknown, typeof fault] => [text, fault])
      .concat([
        [undefined, fault],
        [['5'], fault],
      ]),
  })

  it('decodes only text', () => {
    expect(LimitFromString.decode(5)).toMatchObject({ _tag: 'Left' })
    expect(LimitFromString.encode(5)).toBe('5')
  })
})
