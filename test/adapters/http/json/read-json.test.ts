// The runtime's own parser is used where it is exact: what comes out is the same as from the lossless one.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { judgeJson } from '../../../../src/adapters/http/json/judge-json.js'
import { readJson } from '../../../../src/adapters/http/json/read-json.js'
import { int64FromJsonNumber } from '../../../../src/domain/int64.js'

const bigintOrNaN = (text: string) => O.getOrElse((): bigint | number => Number.NaN)(int64FromJsonNumber(text))

/** Numbers as the codecs take them: safe integers as bigint. */
const normalised = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : Number.NaN
  if (Array.isArray(value)) return value.map(normalised)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, normalised(one)]))
  }
  return value
}

const losslessly = (text: string): unknown => {
  try {
    return normalised(parse(text, undefined, { parseNumber: bigintOrNaN }))
  } catch {
    return 'malformed'
  }
}

const digits = fc.string({ unit: fc.constantFrom('0', '1', '4', '5', '7', '9'), minLength: 1, maxLength: 22 })
const part = fc.oneof(
  digits,
  fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.tuple(digits, fc.integer({ min: -30, max: 400 })).map(([whole, exponent]) => `${whole}e${exponent}`),
  fc.constantFrom('true', 'false', 'null', '-', '-0', '1E2', '"e1"', '"1.5"', '"\\u0031"', ' ', '\n', '"a":', ',', '.'),
)
const text = fc.oneof(
  fc.json(),
  part,
  fc.array(part, { maxLength: 8 }).map((parts) => `[${parts.join(',')}]`),
  fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), part), { maxLength: 6 }).map((members) => {
    const unique = new Map(members)
    return `{${[...unique].map(([name, value]) => `"n${name}":${value}`).join(',')}}`
  }),
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
)

describe('readJson', () => {
  it('reads what the lossless parser reads, and refuses what it refuses', () => {
    fc.assert(
      fc.property(text, (json) => {
        fc.pre(judgeJson(json).fault === undefined)
        const outcome = readJson(Buffer.from(json))
        expect(E.isRight(outcome) ? normalised(outcome.right) : 'malformed').toEqual(losslessly(json))
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps every int64, as a bigint where a double would round it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const outcome = readJson(Buffer.from(`{"n":[${value}]}`))
        expect(E.map(normalised)(outcome)).toEqual(E.right({ n: [value] }))
      }),
    )
  })

  it.each([
    ['123456789012345', true],
    ['1234567890123456', false],
    ['[1,true,false,null,"1.5e300"]', true],
    ['1.0', false],
    ['1e2', false],
    ['1E2', false],
  ])('trusts doubles with %s: %s', (json, isExact) => {
    expect(judgeJson(json)).toEqual({ fault: undefined, isExactInDoubles: isExact })
  })
})
