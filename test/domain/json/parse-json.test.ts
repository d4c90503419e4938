// Compares the parser with the runtime's own parser and with a lossless one.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { exactNumber } from '../../../src/domain/json/json-number.js'
import { parseExactJson, parseJson } from '../../../src/domain/json/parse-json.js'

const losslessly = (text: string): unknown => {
  try {
    return parse(text, undefined, { parseNumber: exactNumber })
  } catch {
    return 'malformed'
  }
}

const natively = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return 'malformed'
  }
}

const readingOf = (text: string): unknown => E.getOrElseW(() => 'malformed')(parseExactJson(text))

const isRefused = (text: string): boolean => {
  const parsed = parseJson(text)
  return E.isLeft(parsed) && /appears twice|levels/.test(parsed.left.reason)
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

const malformed = (reason: string) => E.left({ _tag: 'MalformedJson', reason })

describe('parseJson', () => {
  it('accepts and refuses the same texts as a lossless parser, with the same values', () => {
    fc.assert(
      fc.property(text, (json) => {
        fc.pre(!isRefused(json))
        expect(readingOf(json)).toEqual(losslessly(json))
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads everything except long numbers like JSON.parse, even beside long numbers', () => {
    const spaced = fc
      .tuple(fc.json(), fc.constantFrom(undefined, 1, '\t\r'))
      .map(([json, space]) => JSON.stringify(JSON.parse(json), undefined, space).replace(/-?[\d.e+-]{15,}/g, '7'))
    fc.assert(
      fc.property(spaced, (json) => {
        expect(readingOf(`[${json},9223372036854775807]`)).toStrictEqual([natively(json), 9223372036854775807n])
      }),
      { numRuns: 1_000 },
    )
  })

  it.each<readonly [string, number | bigint]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['100000000000000000000', 1e20],
    ['1e2', 100],
    ['123e16', 1230000000000000000n],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('reads the number %s', (json, value) => {
    for (const parse of [parseJson, parseExactJson]) expect(parse(json)).toStrictEqual(E.right(value))
  })

  it.each([
    ['2.00000000000000002178', 2],
    ['1e-400', 0],
    ['-1e-400', -0],
    ['9007199254740990.9999999999', 9007199254740991],
  ])(
    'reads %s as the nearest double, which a codec would take for an integer: parseExactJson does not',
    (json, value) => {
      expect(parseJson(json)).toStrictEqual(E.right(value))
      expect(parseExactJson(json)).toStrictEqual(E.right(Number.NaN))
    },
  )

  it.each([
    '{"__proto__":{"a":9223372036854775807}}',
    '{"a\\"b":"\\\\","\\u0061":"\\ud83d\\ude00 \\n","":[[],{},true,false,null],"n":1.5}',
    '{"a":":","b":"\\":"}',
    ' [ 1.5 , { "a" : [ ] , "b" : { } } ] ',
    '"1.5"',
    '1.5',
  ])('builds the same objects and strings as JSON.parse: %s', (json) => {
    const numbers = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)))
    expect(E.map(numbers)(parseJson(json))).toStrictEqual(E.right(JSON.parse(json)))
  })

  it.each([
    ['', 'it is empty'],
    ['{"a":9223372036854775807', 'it is not well-formed: it ends too early'],
    ['\uFEFF1.5', 'it is not well-formed at column 1'],
    ['01', 'it is not well-formed at column 2'],
    ['{"a":1,}', 'it is not well-formed at column 8'],
    ['{\n "a": 1\n "b": 2\n}', 'it is not well-formed at line 3, column 2'],
    ['[\n', 'it is not well-formed: it ends too early'],
    [`{"${'🐶'.repeat(70)}":1,"${'🐶'.repeat(70)}":2}`, `the name "${'🐶'.repeat(64)}" appears twice in one object`],
    ['{"a":1,"b":2,"\\u0061":3}', 'the name "a" appears twice in one object'],
    // as many ends of names as members, and one of them in a string
    ['{"a":1,"a":2,"b":":"}', 'the name "a" appears twice in one object'],
    ['{"a":1,"a":2,"b":"\\":"}', 'the name "a" appears twice in one object'],
    ['[{"a" \n:1,"a":2}]', 'the name "a" appears twice in one object'],
    ['{"__proto__":1,"__proto__":2}', 'the name "__proto__" appears twice in one object'],
    ['{"\ud800":1,"\\ud800":2}', 'the name "\\ud800" appears twice in one object'],
    ['['.repeat(65) + ']'.repeat(65), 'it has more than 64 levels'],
  ])('refuses %s', (json, reason) => {
    expect(parseJson(json)).toStrictEqual(malformed(reason))
  })

  it('keeps names apart that only look alike', () => {
    // a backslash as a character, one half of a pair, a prefix
    const json = '{"\\\\u0061":1,"a":2,"\ud83d":3,"\\ud83d\\udc36":4,"\ud83d\ud83d":5}'
    expect(parseJson(json)).toStrictEqual(E.right(JSON.parse(json)))
  })
})
