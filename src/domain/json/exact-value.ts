// Reads the value of a JSON text that JSON.parse has accepted, with exact numbers. It does not check the grammar again.
import { exactInteger, exactNumber } from './json-number.js'

// declared in each module: importing them slows the loop by a sixth (measured)
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const UPPER_E = 0x45
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A position in the text. Every reader moves it past what it has read. */
interface Cursor {
  readonly text: string
  at: number
}

/** The character after white space. */
const nextCode = (cursor: Cursor): number => {
  let code = cursor.text.charCodeAt(cursor.at)
  while (code <= SPACE) {
    cursor.at += 1
    code = cursor.text.charCodeAt(cursor.at)
  }
  return code
}

const isEscaped = (text: string, at: number): boolean => {
  let escapes = 0
  while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1
  return escapes % 2 === 1
}

/** The index of the quote that closes the string opened at `start`. */
const closingQuote = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

const stringAt = (cursor: Cursor): string => {
  const start = cursor.at
  const end = closingQuote(cursor.text, start)
  cursor.at = end + 1
  const inside = cursor.text.slice(start + 1, end)
  return inside.includes('\\') ? (JSON.parse(cursor.text.slice(start, end + 1)) as string) : inside
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE
const isOfFraction = (code: number): boolean => code === DOT || code === LOWER_E || code === UPPER_E
const isSign = (code: number): boolean => code === MINUS || code === PLUS

const numberAt = (cursor: Cursor): number | bigint => {
  const { text, at } = cursor
  let end = at + 1
  while (isDigit(text.charCodeAt(end))) end += 1
  const isPlain = !isOfFraction(text.charCodeAt(end))
  for (
    let code = text.charCodeAt(end);
    isDigit(code) || isOfFraction(code) || isSign(code);
    code = text.charCodeAt(end)
  )
    end += 1
  cursor.at = end
  const literal = text.slice(at, end)
  return isPlain ? exactInteger(literal) : exactNumber(literal)
}

/** Skips a comma, or the end of the array or object; false at the end. */
const hasMore = (cursor: Cursor, close: number): boolean => {
  const code = nextCode(cursor)
  if (code === COMMA || code === close) cursor.at += 1
  return code !== close
}

const arrayAt = (cursor: Cursor): readonly unknown[] => {
  cursor.at += 1
  if (!hasMore(cursor, CLOSE_BRACKET)) return []
  // an empty array would make room for 17 elements when it gets its first
  const elements = [valueAt(cursor)]
  while (hasMore(cursor, CLOSE_BRACKET)) elements.push(valueAt(cursor))
  return elements
}

const objectAt = (cursor: Cursor): Readonly<Record<string, unknown>> => {
  const members: Record<string, unknown> = {}
  cursor.at += 1
  while (hasMore(cursor, CLOSE_BRACE)) {
    nextCode(cursor)
    const name = stringAt(cursor)
    nextCode(cursor)
    cursor.at += 1
    const value = valueAt(cursor)
    if (name !== '__proto__') members[name] = value
    // an assignment to `__proto__` would set the prototype
    else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
  }
  return members
}

const constant = <A>(cursor: Cursor, length: number, value: A): A => {
  cursor.at += length
  return value
}

function valueAt(cursor: Cursor): unknown {
  switch (nextCode(cursor)) {
    case OPEN_BRACE:
      return objectAt(cursor)
    case OPEN_BRACKET:
      return arrayAt(cursor)
    case QUOTE:
      return stringAt(cursor)
    case LOWER_T:
      return constant(cursor, 4, true)
    case LOWER_F:
      return constant(cursor, 5, false)
    case LOWER_N:
      return constant(cursor, 4, null)
    default:
      return numberAt(cursor)
  }
}

/** Requires well-formed JSON, and recurses once per level of nesting. */
export const exactValue = (text: string): unknown => valueAt({ text, at: 0 })
