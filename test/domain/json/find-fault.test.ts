import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultText, findFault } from '../../../src/domain/json/find-fault.js'

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

describe('findFault', () => {
  it('finds a fault in exactly the texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        expect(findFault(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('needs nothing after the fault to find it', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const at = findFault(text)
        if (at !== undefined && at < text.length) expect(findFault(text.slice(0, at + 1))).toBe(at)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each<[string, number | undefined]>([
    ['{"a":[1,{}],"b":"\\u00e9\\n"} ', undefined],
    ['-1.5e+10', undefined],
    ['', 0],
    [' ', 1],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['"a', 2],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ['{a:1}', 1],
    ['{"a" 1}', 5],
    ['{"a":}', 5],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['01', 1],
    ['1.', 1],
    ['+1', 0],
    ['-', 0],
    ['nul', 0],
    ['nulll', 4],
    ['"a\nb"', 2],
    ['"\\x41"', 1],
    ['"\\u00g0"', 1],
    ['1 1', 2],
    ['\u00a01', 0],
  ])('stops at the first character that does not belong there: %j', (text, at) => {
    expect(findFault(text)).toBe(at)
  })

  it('is found in a text of many tokens', () => {
    expect(findFault(`"${'\\\\'.repeat(30_000)}`)).toBe(60_001)
    expect(findFault(`[${'1,'.repeat(30_000)}`)).toBe(60_001)
  })
})

describe('faultText', () => {
  it.each([
    ['{"a":1,}', 'it is not well-formed at column 8'],
    ['{\n "a": 1\n "b": 2\n}', 'it is not well-formed at line 3, column 2'],
    ['[\n', 'it is not well-formed: it ends too early'],
    ['\n', 'it is empty'],
  ])('tells the line and the column of %j', (text, message) => {
    expect(faultText(text)).toBe(message)
  })

  it('tells no place in more than 65,536 characters', () => {
    expect(faultText(`[${' '.repeat(65_535)}`)).toBe('it is not well-formed: it ends too early')
    expect(faultText(`[${' '.repeat(65_536)}`)).toBe('it is not well-formed')
  })
})
