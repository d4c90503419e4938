// Compares the parser with the runtime's own parser and with a lossless one.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { exactNumber } from '../../../src/domain/json/json-number.js'
import { parseJson } from '../../../src/domain/json/parse-json.js'

const orMalformed = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return 'malformed'
  }
}
const losslessly = (text: string) => orMalformed(() => parse(text, undefined, { parseNumber: exactNumber }))
const isJson = (text: string): boolean => orMalformed(() => JSON.parse(text) as unknown) !== 'malformed'

const readingOf = (text: string): unknown => E.getOrElseW(() => 'malformed')(parseJson(text))

/** The long integer makes our own parser read the text instead of the runtime's. */
const besideLong = (json: string): string => `[${json},9223372036854775807]`

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

/** JSON with one part removed and another inserted. */
const damaged = fc
  .record({
    text: fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value, undefined, 1)),
    ),
    from: fc.nat(),
    length: fc.nat({ max: 2 }),
    put: fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 2, unit: fc.constantFrom(...Array.from('{}[]:,"\\0-1.eEuntf \n\t\u0000\u00a0')) }),
    ),
  })
  .map(({ text, from, length, put }) => {
    const at = from % (text.length + 1)
    return text.slice(0, at) + put + text.slice(at + length)
  })

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

  it('finds a fault in exactly the texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        fc.pre(!isRefused(text))
        for (const json of [text, besideLong(text)]) expect(E.isRight(parseJson(json))).toBe(isJson(json))
      }),
      { numRuns: 2_000 },
    )
  })

  it('agrees with JSON.parse on every character below U+0180, wherever it stands', () => {
    for (let code = 0; code < 0x180; code += 1) {
      const x = String.fromCharCode(code)
      const strings = [`"${x}"`, `"\\${x}"`, `"\\u00${x}0"`, `"\\u${x}aFf"`]
      const others = [`${x}1`, `1${x}`, `[1${x}]`, `{${x}}`, `-${x}`, `1.${x}`, `1e${x}1`, `{"a"${x}1}`, `tru${x}`]
      const texts = [...strings, ...others]
      for (const text of [...texts, ...texts.map(besideLong)])
        expect([text, E.isRight(parseJson(text))]).toEqual([text, isJson(text)])
    }
  })

  it('reads everything except long numbers like JSON.parse, even beside long numbers', () => {
    const spaced = fc
      .tuple(fc.json(), fc.constantFrom(undefined, 1, '\t\r'))
      .map(([json, space]) => JSON.stringify(JSON.parse(json), undefined, space).replace(/-?[\d.e+-]{15,}/g, '7'))
    fc.assert(
      fc.property(spaced, (json) => {
        expect(readingOf(besideLong(json))).toStrictEqual([JSON.parse(json), 9223372036854775807n])
      }),
      { numRuns: 1_000 },
    )
  })

  it('refuses any two equal names of an object, at any level', () => {
    const names = Array.from('abcdef')
    const nested = (levels: number, members: readonly string[]): string =>
      `${'{"p":'.repeat(levels)}{${members.map((name) => `"${name}":{"a":1}`).join()}}${'}'.repeat(levels)}`
    for (const levels of [0, 1, 2, 5, 62]) {
      expect(E.isRight(parseJson(nested(levels, names)))).toBe(true)
      for (const first of names) {
        for (let at = names.indexOf(first) + 1; at <= names.length; at += 1) {
          const json = nested(levels, names.toSpliced(at, 0, first))
          expect([isRefused(json), isRefused(besideLong(json))]).toEqual([true, true])
        }
      }
    }
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
    expect(parseJson(json)).toStrictEqual(E.right(value))
  })

  it.each(['2.00000000000000002178', '1e-400', '-1e-400', '9007199254740990.9999999999'])(
    'reads %s as NaN, because a codec would take the nearest double for an integer',
    (json) => {
      expect(Number.isSafeInteger(Number(json))).toBe(true)
      expect(parseJson(json)).toStrictEqual(E.right(Number.NaN))
    },
  )

  it.each([
    '{"__proto__":{"a":1}}',
    '{"a\\"b":"\\\\","\\u0061":"\\ud83d\\ude00 \\n","":[[],{},true,false,null],"n":1.5}',
    '{"a":":","b":"\\":"}',
    ' [ 1.5 , { "a" : [ ] , "b" : { } } ] ',
    '"1.5"',
    '1.5',
    // 63 levels, because `besideLong` adds one
    '['.repeat(63) + ']'.repeat(63),
    `${'{"a":'.repeat(62)}{}${'}'.repeat(62)}`,
    // names that only look alike: an escaped backslash, half of a surrogate pair, a prefix
    '{"\\\\u0061":1,"a":2,"\ud83d":3,"\\ud83d\\udc36":4,"\ud83d\ud83d":5}',
  ])('builds the same objects and strings as JSON.parse: %s', (json) => {
    expect(parseJson(json)).toStrictEqual(E.right(JSON.parse(json)))
    expect(parseJson(besideLong(json))).toStrictEqual(E.right([JSON.parse(json), 9223372036854775807n]))
  })

  it.each([
    ['', 'it is empty'],
    ['{"a":1', 'it is not well-formed: it ends too early'],
    ['"a', 'it is not well-formed: it ends too early'],
    ['[\n', 'it is not well-formed: it ends too early'],
    ['\uFEFF1.5', 'it is not well-formed at column 1'],
    ['nul', 'it is not well-formed at column 1'],
    ['01', 'it is not well-formed at column 2'],
    ['"\\x41"', 'it is not well-formed at column 2'],
    ['[1 2]', 'it is not well-formed at column 4'],
    ['{"a":1,}', 'it is not well-formed at column 8'],
    ['{\n "a": 1\n "b": 2\n}', 'it is not well-formed at line 3, column 2'],
    [`{"${'🐶'.repeat(70)}":1,"${'🐶'.repeat(70)}":2}`, `the name "${'🐶'.repeat(64)}" appears twice in one object`],
    ['{"a":1,"b":2,"\\u0061":3}', 'the name "a" appears twice in one object'],
    // as many `":` as members, one of them inside a string
    ['{"a":1,"a":2,"b":":"}', 'the name "a" appears twice in one object'],
    ['{"a":1,"a":2,"b":"\\":"}', 'the name "a" appears twice in one object'],
    ['[{"a" \n:1,"a":2}]', 'the name "a" appears twice in one object'],
    ['{"__proto__":1,"__proto__":2}', 'the name "__proto__" appears twice in one object'],
    ['{"\ud800":1,"\\ud800":2}', 'the name "\\ud800" appears twice in one object'],
    ['['.repeat(65) + ']'.repeat(65), 'it has more than 64 levels'],
    ['{"a":'.repeat(65) + '}'.repeat(65), 'it has more than 64 levels'],
  ])('refuses %s', (json, reason) => {
    expect(parseJson(json)).toStrictEqual(E.left({ _tag: 'MalformedJson', reason }))
  })

  it('reads a long string, with and without escapes, and a long number', () => {
    for (const part of ['x', '\\n']) expect(E.isRight(parseJson(`"${part.repeat(1_000_000)}"`))).toBe(true)
    expect(parseJson('1'.repeat(1_000_000))).toStrictEqual(E.right(Number.POSITIVE_INFINITY))
  })
})
