import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanJson } from '../../../src/domain/json/scan-json.js'

/** The place where the text stops being JSON. */
const findFault = (text: string): number | undefined => {
  const scanned = scanJson(text)
  return scanned._tag === 'NotWellFormed' ? scanned.at : undefined
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

describe('scanJson', () => {
  it('finds a fault in exactly the texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const scanned = scanJson(text)
        fc.pre(scanned._tag !== 'Refused')
        expect(scanned._tag === 'Read').toBe(isJson(text))
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
        expect([text, scanJson(text)._tag === 'Read']).toEqual([text, isJson(text)])
    }
  })

  it('refuses any two equal names of an object, at any level', () => {
    const names = Array.from('abcdef')
    const nested = (levels: number, members: readonly string[]): string =>
      `${'{"p":'.repeat(levels)}{${members.map((name) => `"${name}":{"a":1}`).join()}}${'}'.repeat(levels)}`
    for (const levels of [0, 1, 2, 5, 62]) {
      expect(scanJson(nested(levels, names))._tag).toBe('Read')
      for (const first of names) {
        for (let at = names.indexOf(first) + 1; at <= names.length; at += 1) {
          expect(scanJson(nested(levels, names.toSpliced(at, 0, first)))._tag).toBe('Refused')
        }
      }
    }
  })

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('reads 64 levels of %s, and refuses 65', (_, open, close) => {
    const nested = (levels: number): string => `${open.repeat(levels - 1)}${open[0]}${close.repeat(levels)}`
    expect(scanJson(nested(64))._tag).toBe('Read')
    expect(scanJson(nested(65))).toStrictEqual({ _tag: 'Refused', reason: 'it has more than 64 levels' })
  })

  it.each<[string, number | undefined]>([
    ['{"a":[1,{}],"b":"\\u00e9\\n"} ', undefined],
    ['-1.5e+10', undefined],
    ['', 0],
    ['{"a"', 4],
    ['{"a":1', 6],
    ['"a', 2],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['01', 1],
    ['1.', 1],
    ['nul', 0],
    ['"\\x41"', 1],
    ['1 1', 2],
  ])('stops where the text stops being JSON: %j', (text, at) => {
    expect(findFault(text)).toBe(at)
  })

  it.each<readonly [string, readonly [number, number][]]>([
    ['123456789012345', []],
    ['1234567890123456', [[0, 16]]],
    ['[1,true,false,null,"1.5e300"]', []],
    ['1.0', [[0, 3]]],
    [
      '[1e2 ,-1E2]',
      [
        [1, 4],
        [6, 10],
      ],
    ],
  ])('says of %s where numbers are that a double may round: %j', (text, longNumbers) => {
    expect(scanJson(text)).toStrictEqual({ _tag: 'Read', longNumbers })
  })
})
