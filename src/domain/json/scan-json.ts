// Checks a JSON text (RFC 8259) in one pass, without building values. Also refuses duplicate names and deep nesting, which
// JSON.parse accepts.
import {
  afterSpace,
  codeAt,
  codesOf,
  endOfConstant,
  endOfFraction,
  endOfInteger,
  endOfString,
  stringOf,
} from './json-tokens.js'

/** Levels of nesting; the outermost object is the first. */
const MAX_DEPTH = 64
/** Two integers of this many characters never share a double (IEEE 754): each is read back as itself. */
const EXACT_LENGTH = 15
/** Characters of a name in a message. */
const SHOWN = 64

const QUOTE = 0x22
const COMMA = 0x2c
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** From the code of an opening bracket to the code of the closing one. */
const TO_CLOSER = 2

export type JsonFault =
  | { readonly _tag: 'Refused'; readonly reason: string }
  /** `at`: the first character that cannot follow, or where a malformed number, constant or escape begins; the length if the text ends early. */
  | { readonly _tag: 'NotWellFormed'; readonly at: number }

export interface ReadJson {
  readonly _tag: 'Read'
  /** Where each number begins and ends that is not a short integer: a double could lose digits of it. */
  readonly longNumbers: readonly (readonly [start: number, end: number])[]
}

const notWellFormed = (at: number): JsonFault => ({ _tag: 'NotWellFormed', at })
const refused = (reason: string): JsonFault => ({ _tag: 'Refused', reason })

/** The name in quotes, or its beginning. */
const shown = (name: string): string => JSON.stringify([...name.slice(0, 2 * SHOWN)].slice(0, SHOWN).join(''))

/** Of the open objects, by level. A first name is a place, and a Set begins with the second one: many objects have one name only. */
interface MemberNames {
  readonly starts: (number | undefined)[]
  readonly ends: number[]
  readonly sets: (Set<string> | undefined)[]
}

const noNames = (): MemberNames => ({ starts: [], ends: [], sets: [] })

const openObject = ({ starts, sets }: MemberNames, level: number): void => {
  starts[level] = undefined
  sets[level] = undefined
}

/** Adds the name between these places of the text; false if the object has it already. */
const addName = (names: MemberNames, text: string, level: number, start: number, end: number): boolean => {
  const first = names.starts[level]
  if (first === undefined) {
    names.starts[level] = start
    names.ends[level] = end
    return true
  }
  const known = names.sets[level] ?? new Set([stringOf(text.slice(first, names.ends[level]))])
  names.sets[level] = known
  const count = known.size
  return known.add(stringOf(text.slice(start, end))).size > count
}

export const scanJson = (text: string): JsonFault | ReadJson => {
  const codes = codesOf(text)
  const names = noNames()
  const closers: (number | undefined)[] = [undefined]
  const longNumbers: [number, number][] = []
  let level = 0
  let at = 0
  for (;;) {
    at = afterSpace(codes, at)
    if (closers[level] === CLOSE_BRACE) {
      const end = codeAt(codes, at) === QUOTE ? endOfString(codes, at) : ~at
      if (end < 0) return notWellFormed(~end)
      if (!addName(names, text, level, at + 1, end - 1))
        return refused(`the name ${shown(stringOf(text.slice(at + 1, end - 1)))} appears twice in one object`)
      at = afterSpace(codes, end)
      if (codeAt(codes, at) !== COLON) return notWellFormed(at)
      at = afterSpace(codes, at + 1)
    }
    const code = codeAt(codes, at)
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (level === MAX_DEPTH) return refused(`it has more than ${MAX_DEPTH} levels`)
      level += 1
      const closer = code + TO_CLOSER
      closers[level] = closer
      if (code === OPEN_BRACE) openObject(names, level)
      at = afterSpace(codes, at + 1)
      if (codeAt(codes, at) !== closer) continue
    } else if (code === QUOTE) {
      const end = endOfString(codes, at)
      if (end < 0) return notWellFormed(~end)
      at = end
    } else if (code <= NINE) {
      const integer = endOfInteger(codes, at)
      if (integer === at) return notWellFormed(at)
      const end = endOfFraction(codes, integer)
      if (end > integer || end - at > EXACT_LENGTH) longNumbers.push([at, end])
      at = end
    } else {
      const end = endOfConstant(codes, at)
      if (end === at) return notWellFormed(at)
      at = end
    }
    // a value has ended, or an empty one is about to close: skips the closing brackets and the comma after them
    for (;;) {
      at = afterSpace(codes, at)
      if (level === 0) return at < codes.length ? notWellFormed(at) : { _tag: 'Read', longNumbers }
      const next = codeAt(codes, at)
      if (next !== COMMA && next !== closers[level]) return notWellFormed(at)
      at += 1
      if (next === COMMA) break
      level -= 1
    }
  }
}
