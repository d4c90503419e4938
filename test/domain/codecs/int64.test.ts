import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { Int64, int64FromPlainText, MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { int64 } from '../../../src/testing/arbitraries.js'
import { codecSuite, sharing, whole } from '../../support/domain/codec-suite.js'

const RULE = 'must be an integer from -9223372036854775808 to 9223372036854775807'
const inRange = (value: bigint): O.Option<bigint> =>
  value >= -9223372036854775808n && value <= 9223372036854775807n ? O.some(value) : O.none
const over = (alphabet: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })

describe('Int64', () => {
  codecSuite({
    name: 'Int64',
    codec: Int64,
    values: int64,
    refused: [
      ...sharing(RULE, [MAX_INT64 + 1n, MIN_INT64 - 1n, 2 ** 53, -(2 ** 53), 1.5, Number.NaN]),
      ...sharing(RULE, [Number.POSITIVE_INFINITY, true, null, undefined, [1n], {}]),
      ['1', whole(`${RULE}, not a string`)],
    ],
  })

  it('decodes a safe integer as a bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(Int64.decode(value)).toStrictEqual(E.right(BigInt(value)))
        expect(Int64.is(value)).toBe(false)
      }),
    )
    expect(Int64.decode(-0)).toStrictEqual(E.right(0n))
  })
})

describe('int64FromPlainText', () => {
  it('reads the plain form of every int64', () => {
    fc.assert(
      fc.property(int64(), (value) => {
        expect(int64FromPlainText(String(value))).toStrictEqual(O.some(value))
      }),
    )
  })

  it('reads only the canonical text of a value', () => {
    fc.assert(
      fc.property(over('0019-+.e '), (text) => {
        const isPlain = /^-?\d+$/.test(text) && String(BigInt(text)) === text
        expect(int64FromPlainText(text)).toStrictEqual(isPlain ? inRange(BigInt(text)) : O.none)
      }),
    )
  })

  it.each([
    '',
    '-',
    '-0',
    '01',
    '+1',
    '1.0',
    '1e1',
    ' 1',
    '1\n',
    '0x1',
    '\uff11',
    '9223372036854775808',
    '-9223372036854775809',
  ])('refuses %j', (text) => {
    expect(int64FromPlainText(text)).toStrictEqual(O.none)
  })
})
