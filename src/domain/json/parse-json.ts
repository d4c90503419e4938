// Parses JSON (RFC 8259) exactly and unambiguously. Has no runtime dependencies.
import type { Either } from 'fp-ts/lib/Either.js'
import { exactNumber } from './json-number.js'

/** The text is not well-formed JSON, is ambiguous, or is too deeply nested. */
export interface MalformedJson {
  readonly _tag: 'MalformedJson'
  readonly reason: string
}

export const malformed = (reason: string): Either<MalformedJson, never> => ({
  _tag: 'Left',
  left: { _tag: 'MalformedJson', reason },
})

/** Levels of nesting, including the outermost. */
const MAX_DEPTH = 64
/** Characters of a name shown in messages. */
const SHOWN = 64

const CONSTANTS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

const SPACE = 0x20
const WHITE_SPACE: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d])

/** The column where the text stops being JSON, in UTF-16 code units from 1, and the line if there are several. */
const reasonAt = (text: string, at: number): string => {
  if (at === text.length) return text.trim() === '' ? 'it is empty' : 'it is not well-formed: it ends too early'
  const line = text.includes('\n') ? `line ${text.slice(0, at).split('\n').length}, ` : ''
  return `it is not well-formed at ${line}column ${at - text.lastIndexOf('\n', at - 1)}`
}

/** Counts the members of all objects; infinite for too many levels or a number that may have been rounded. */
const membersIn = (value: unknown, level: number): number => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 0 : Number.POSITIVE_INFINITY
  if (typeof value !== 'object' || value === null) return 0
  if (level === MAX_DEPTH) return Number.POSITIVE_INFINITY
  let members = 0
  if (Array.isArray(value)) for (const element of value) members += membersIn(element, level + 1)
  else for (const name in value) members += 1 + membersIn((value as Record<string, unknown>)[name], level + 1)
  return members
}

/** An upper bound for the members in a JSON text; strings may also contain colons. */
const colonsIn = (text: string): number => {
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return colons
}

/** Signs of a number that may be rounded to a safe integer: a fraction or a negative exponent. */
const ROUNDED = ['.', 'e-', 'E-']

/** Uses JSON.parse, in half the time, for texts in which it cannot lose a digit or a duplicate name; else undefined. */
const readByRuntime = (text: string): unknown => {
  if (ROUNDED.some((part) => text.includes(part))) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return membersIn(value, 0) === colonsIn(text) ? value : undefined
  } catch {
    return undefined
  }
}

const readExactly = (text: string): Either<MalformedJson, unknown> => {
  // RFC 8259 §7: neither a quote, nor a backslash, nor a control character
  const plain = /[ !#-[\]-\uffff]*/y
  const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
  const integer = /-?(?:0|[1-9]\d*)/y
  const rest = /(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  const constant = /true|false|null/y
  let at = 0
  let refusal: string | undefined

  // in these functions, undefined means a fault: `refusal`, or the text is malformed at `at`

  /** Moves past a match of the pattern at this point. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isFound = pattern.test(text)
    if (isFound) at = pattern.lastIndex
    return isFound
  }

  /** The next character after white space; empty at the end. */
  const next = (): string => {
    while (text.charCodeAt(at) <= SPACE && WHITE_SPACE.has(text.charCodeAt(at))) at += 1
    return text.charAt(at)
  }

  const isNext = (character: string): boolean => {
    const isFound = next() === character
    if (isFound) at += 1
    return isFound
  }

  /** The string with its quotes. */
  const string = (): string | undefined => {
    const start = at
    at += 1
    do skip(plain)
    while (skip(escaped))
    if (text[at] !== '"') return undefined
    at += 1
    return text.slice(start, at)
  }

  const number = (start: number): number | bigint => {
    skip(rest)
    return exactNumber(text.slice(start, at))
  }

  const array = (level: number): unknown => {
    const values: unknown[] = []
    if (isNext(']')) return values
    do {
      const element = value(level)
      if (element === undefined) return undefined
      values.push(element)
    } while (isNext(','))
    return isNext(']') ? values : undefined
  }

  const object = (level: number): unknown => {
    const members: Record<string, unknown> = {}
    if (isNext('}')) return members
    do {
      const written = next() === '"' ? string() : undefined
      if (written === undefined || !isNext(':')) return undefined
      const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
      if (Object.hasOwn(members, name)) {
        const shown = JSON.stringify([...name.slice(0, 2 * SHOWN)].slice(0, SHOWN).join(''))
        refusal = `the name ${shown} appears twice in one object`
        return undefined
      }
      const member = value(level)
      if (member === undefined) return undefined
      // assignment would set the prototype
      if (name === '__proto__')
        Object.defineProperty(members, name, { value: member, writable: true, enumerable: true, configurable: true })
      else members[name] = member
    } while (isNext(','))
    return isNext('}') ? members : undefined
  }

  const value = (level: number): unknown => {
    const first = next()
    const start = at
    if (first === '"') {
      const written = string()
      // JSON.parse copies, because a slice would keep the whole text in memory
      return written === undefined ? undefined : JSON.parse(written)
    }
    if (first === '{' || first === '[') {
      if (level === MAX_DEPTH) {
        refusal = `it has more than ${MAX_DEPTH} levels`
        return undefined
      }
      at += 1
      return first === '{' ? object(level + 1) : array(level + 1)
    }
    if (skip(integer)) return number(start)
    return skip(constant) ? CONSTANTS[text.slice(start, at)] : undefined
  }

  const result = value(0)
  if (result !== undefined && next() === '') return { _tag: 'Right', right: result }
  return malformed(refusal ?? reasonAt(text, at))
}

/**
 * Parses a JSON text (RFC 8259). Like `JSON.parse`, but an integer of up to 20 digits, and so every int64, is a bigint
 * unless it is safe. Any other number is the nearest double, or NaN if that is a safe integer: no codec accepts NaN, but
 * would take 4.0000000000000000001 for 4. Also refuses duplicate names in an object, and more than 64 levels.
 *
 * @example
 * parseJson('[1, 9223372036854775807]') // => E.right([1, 9223372036854775807n])
 * parseJson('{"a":1,"a":2}') // => E.left({ _tag: 'MalformedJson', reason: 'the name "a" appears twice in one object' })
 * parseJson('4.0000000000000000001') // => E.right(Number.NaN)
 */
export const parseJson = (text: string): Either<MalformedJson, unknown> => {
  const value = readByRuntime(text)
  return value === undefined ? readExactly(text) : { _tag: 'Right', right: value }
}
