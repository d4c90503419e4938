import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/domain/json/parse-json.js'
import { type JsonValue, stringifyJson } from '../../../src/domain/json/stringify-json.js'
import { int64 } from '../../../src/testing/arbitraries.js'

const fraction = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number))

/** Integers as parseJson returns them: numbers if they are safe, else bigints. */
const json = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\0', '\u2028', '\ud800', '\u{1f600}') }),
    fraction,
    fc.maxSafeInteger().map((integer) => integer || 0),
    int64().filter((integer) => !Number.isSafeInteger(Number(integer))),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

describe('stringifyJson', () => {
  it('writes texts that parseJson reads back unchanged', () => {
    fc.assert(
      fc.property(json.value, (value) => {
        expect(parseJson(stringifyJson(value))).toStrictEqual(E.right(value))
      }),
      { numRuns: 1_000 },
    )
  })

  it('writes everything except bigints like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: JsonValue = JSON.parse(JSON.stringify(value)) as JsonValue
        expect(stringifyJson(plain)).toBe(JSON.stringify(plain))
      }),
    )
  })

  it.each<readonly [JsonValue, string]>([
    [-9223372036854775808n, '-9223372036854775808'],
    [[1n, -0, 1e21], '[1,0,1e+21]'],
    [{ a: undefined, b: [], c: {} }, '{"b":[],"c":{}}'],
  ])('writes %o', (value, text) => {
    expect(stringifyJson(value)).toBe(text)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('throws for %s', (value) => {
    expect(() => stringifyJson([value])).toThrow(new RangeError(`JSON has no ${value}`))
  })
})
