import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { integerOf } from '../../../src/domain/json/json-number.js'

const inRange = (value: bigint): O.Option<bigint> =>
  value >= -9223372036854775808n && value <= 9223372036854775807n ? O.some(value) : O.none
const int64Of = (text: string): O.Option<bigint> => O.flatMap(inRange)(O.fromNullable(integerOf(text)))
const over = (alphabet: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })

/** `integer` is the exact value, if it is an integer. */
const jsonNumber = (): fc.Arbitrary<{ text: string; integer: O.Option<bigint> }> =>
  fc
    .record({
      sign: fc.constantFrom('', '-'),
      whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
      trail: fc.nat(6),
      fraction: over('0012'),
      exponent: fc.option(fc.integer({ min: -30, max: 30 })),
      exponentMark: fc.constantFrom('e', 'E'),
      exponentZeros: fc.nat(2),
    })
    .map(({ sign, whole: part, trail, fraction, exponent, exponentMark, exponentZeros }) => {
      const scaled = part * 10n ** BigInt(trail)
      const power = (exponent ?? 0) - fraction.length
      const mantissa = BigInt(`${sign}${scaled}${fraction}`)
      const divisor = power < 0 ? 10n ** BigInt(-power) : 1n
      const value = power < 0 ? mantissa / divisor : mantissa * 10n ** BigInt(power)
      const exponentSign = exponent !== null && exponent < 0 ? '-' : exponentZeros === 1 ? '+' : ''
      const written =
        exponent === null ? '' : `${exponentMark}${exponentSign}${'0'.repeat(exponentZeros)}${Math.abs(exponent)}`
      return {
        text: `${sign}${scaled}${fraction && `.${fraction}`}${written}`,
        integer: mantissa % divisor === 0n ? inRange(value) : O.none,
      }
    })

describe('integerOf', () => {
  it('returns the exact value of a JSON number if it is an integer, else none', () => {
    fc.assert(
      fc.property(jsonNumber(), ({ text, integer }) => {
        expect(JSON.parse(text)).toBeTypeOf('number')
        expect(int64Of(text)).toStrictEqual(integer)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each<readonly [string, bigint]>([
    ['1', 1n],
    ['-0', 0n],
    ['0e99999999999999999999', 0n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['1200e-2', 12n],
    ['0.05e2', 5n],
    ['9.223372036854775807e18', MAX_INT64],
    ['-922337203685477580800e-2', MIN_INT64],
  ])('reads %s as %s', (text, value) => {
    expect(int64Of(text)).toStrictEqual(O.some(value))
  })

  it.each([
    ...['', '-', '.5', '1.', '1.e1', '1e', '01', '+1', ' 1', '0x1', '--1', '0.5', '1.5', '1e-1', '1e19'],
    ...['9223372036854775808', '-9223372036854775809', '1e1000000000000', '-1e-1000000000000'],
    // an integer of as many digits, were the point not before its last one
    ...['40000000000000000001E-19', '-40000000000000000001e-1', '4.0000000000000000001', '10e-2'],
  ])('refuses %j', (text) => {
    expect(int64Of(text)).toStrictEqual(O.none)
  })

  const million = '0'.repeat(1_000_000)
  it.each<readonly [string, string, O.Option<bigint>]>([
    ['a million digits that the exponent cancels', `1${million}e-1000000`, O.some(1n)],
    ['a million decimal places that the exponent cancels', `-0.${million}7e1000001`, O.some(-7n)],
    ['a zero with a million decimal places', `0.${million}`, O.some(0n)],
    ['an exponent with a million digits', `1e1${million}`, O.none],
    ['an exponent with a million leading zeros', `1e${million}2`, O.some(100n)],
  ])('reads %s exactly', (_, text, expected) => {
    expect(int64Of(text)).toStrictEqual(expected)
  })
})
