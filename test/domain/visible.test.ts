import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible, visibleJson } from '../../src/domain/visible.js'

const HOSTILE = [
  '\0',
  '\n',
  '\r',
  '\u{1b}',
  '\u{7f}',
  '\u{9b}',
  '\u{ad}',
  '\u{200f}',
  '\u{202e}',
  '\u{2028}',
  '\u{2029}',
  '\u{2066}',
  '\u{feff}',
  '\u{e0041}',
]

describe('text that people see', () => {
  it.each(HOSTILE)('does not contain %j', (character) => {
    expect(visible(`a${character}b 🐈 ë`)).toBe('a\u{fffd}b 🐈 ë')
    const json = JSON.stringify({ name: `a${character}b 🐈 ë` })
    expect(visibleJson(json)).not.toContain(character)
  })

  it('as JSON has the same value, whatever its strings and white space', () => {
    const text = fc.string({ unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' })) })
    fc.assert(
      fc.property(fc.dictionary(text, text), fc.constantFrom(undefined, '\t', 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        expect(JSON.parse(visibleJson(json))).toStrictEqual(JSON.parse(json))
      }),
    )
  })
})
