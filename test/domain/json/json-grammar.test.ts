// Compares what the parser refuses, and where, with the runtime's own parser.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/domain/json/parse-json.js'

const isRefused = (text: string): boolean => {
  const parsed = parseJson(text)
  return E.isLeft(parsed) && /appears twice|levels/.test(parsed.left.reason)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON in which something was cut out and something put in. */
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

const malformed = (reason: string) => E.left({ _tag: 'MalformedJson', reason })

describe('parseJson', () => {
  it('finds a fault in exactly the texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        fc.pre(!isRefused(text))
        expect(E.isRight(parseJson(text))).toBe(isJson(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('agrees with JSON.parse on every character below U+0180, wherever it stands', () => {
    for (let code = 0; code < 0x180; code += 1) {
      const x = String.fromCharCode(code)
      const strings = [`"${x}"`, `"\\${x}"`, `"\\u00${x}0"`, `"\\u${x}aFf"`]
      const others = [`${x}1`, `1${x}`, `[1${x}]`, `{${x}}`, `-${x}`, `1.${x}`, `1e${x}1`, `{"a"${x}1}`, `tru${x}`]
      for (const text of [...strings, ...others])
        expect([text, E.isRight(parseJson(text))]).toEqual([text, isJson(text)])
    }
  })

  it('refuses any two equal names of an object, at any level', () => {
    const names = Array.from('abcdef')
    const nested = (levels: number, members: readonly string[]): string =>
      `${'{"p":'.repeat(levels)}{${members.map((name) => `"${name}":{"a":1}`).join()}}${'}'.repeat(levels)}`
    for (const levels of [0, 1, 2, 5, 62]) {
      expect(E.isRight(parseJson(nested(levels, names)))).toBe(true)
      for (const first of names) {
        for (let at = names.indexOf(first) + 1; at <= names.length; at += 1) {
          expect(isRefused(nested(levels, names.toSpliced(at, 0, first)))).toBe(true)
        }
      }
    }
  })

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('reads 64 levels of %s, and refuses 65', (_, open, close) => {
    const nested = (levels: number): string => `${open.repeat(levels - 1)}${open[0]}${close.repeat(levels)}`
    expect(E.isRight(parseJson(nested(64)))).toBe(true)
    expect(parseJson(nested(65))).toStrictEqual(malformed('it has more than 64 levels'))
  })

  it.each([
    ['[1,]', 4],
    ['[1 2]', 4],
    ['{"a" 1}', 6],
    ['1.', 2],
    ['nul', 1],
    ['"\\x41"', 2],
    ['1 1', 3],
  ])('stops where the text stops being JSON: %j', (text, column) => {
    expect(parseJson(text)).toStrictEqual(malformed(`it is not well-formed at column ${column}`))
  })

  it.each(['{"a"', '{"a":1', '"a', '["'])('says that %s ends too early', (text) => {
    expect(parseJson(text)).toStrictEqual(malformed('it is not well-formed: it ends too early'))
  })

  it('reads a long string, with and without escapes, and a long number', () => {
    for (const part of ['x', '\\n']) expect(E.isRight(parseJson(`"${part.repeat(1_000_000)}"`))).toBe(true)
    expect(parseJson('1'.repeat(1_000_000))).toStrictEqual(E.right(Number.POSITIVE_INFINITY))
  })
})
