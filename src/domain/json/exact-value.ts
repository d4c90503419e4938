// Reads the value of a JSON text that scan-json.ts has accepted, with exact numbers. It does not check the grammar again.
import { exactInteger, exactNumber } from './json-number.js'
import {
  afterSpace,
  type Codes,
  codeAt,
  codesOf,
  endOfFraction,
  endOfInteger,
  endOfString,
  stringOf,
} from './json-tokens.js'

// declared in each module: importing them slows the loop by a sixth (measured)
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A position in the text. Every reader moves it past what it has read. */
interface Cursor {
  readonly text: string
  readonly codes: Codes
  readonly rounds: boolean
  at: number
}

/** The character after white space. */
const nextCode = (cursor: Cursor): number => {
  cursor.at = afterSpace(cursor.codes, cursor.at)
  return codeAt(cursor.codes, cursor.at)
}

const stringAt = (cursor: Cursor): string => {
  const start = cursor.at + 1
  cursor.at = endOfString(cursor.codes, cursor.at)
  return stringOf(cursor.text.slice(start, cursor.at - 1))
}

const numberAt = (cursor: Cursor): number | bigint => {
  const { text, codes, at } = cursor
  const integer = endOfInteger(codes, at)
  cursor.at = endOfFraction(codes, integer)
  const literal = text.slice(at, cursor.at)
  const value = cursor.at === integer ? exactInteger(literal) : exactNumber(literal)
  return cursor.rounds && Number.isNaN(value) ? Number(literal) : value
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

/**
 * Requires well-formed JSON, and recurses once per level of nesting. Pass `utf8Bytes` if known, as to `codesOf`. Unless it `rounds`,
 * it reads a number as NaN if only the nearest double is a safe integer.
 */
export const exactValue = (text: string, utf8Bytes: Uint8Array | undefined, rounds: boolean): unknown =>
  valueAt({ text, codes: codesOf(text, utf8Bytes), rounds, at: 0 })
