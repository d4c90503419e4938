// Parses JSON (RFC 8259) without losing a digit and without guessing. Needs no dependency at run time.
import type { Either } from 'fp-ts/lib/Either.js'

/** No 64-bit integer has more digits. */
const MAX_DIGITS = 20

const PLAIN = /^-?(?:0|[1-9]\d{0,19})$/
const JSON_NUMBER = /^(-)?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO = 0x30

/** An integer of up to 20 digits in any notation: `1`, `1.0`, `1e2`. Linear in the length: an exponent never makes it build a long number. */
export const integerOf = (text: string): bigint | undefined => {
  if (PLAIN.test(text)) return BigInt(text)
  const match = JSON_NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  let start = 0
  while (digits.charCodeAt(start) === ZERO) start += 1
  if (start === digits.length) return 0n
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1
  const zeros = Number(exponent) - fraction.length + (digits.length - end)
  const fits = zeros >= 0 && end - start + zeros <= MAX_DIGITS
  return fits ? BigInt(sign + digits.slice(start, end) + '0'.repeat(zeros)) : undefined
}

/**
 * A number if it holds the integer exactly, else a bigint. Any value that is not an integer of up to 20 digits becomes NaN if the
 * nearest double is a safe integer, because 4.0000000000000000001 must not pass for 4, else that double.
 */
export const exactNumber = (text: string): number | bigint => {
  const double = Number(text)
  // the double nearest to an integer is an integer
  const integer = Number.isInteger(double) ? integerOf(text) : undefined
  if (!Number.isSafeInteger(double)) return integer ?? double
  return integer === undefined ? Number.NaN : double
}

/** The text is not well-formed JSON, or has more than one reading. */
export interface MalformedJson {
  readonly _tag: 'MalformedJson'
  readonly reason: string
}

export const malformed = (reason: string): Either<MalformedJson, never> => ({
  _tag: 'Left',
  left: { _tag: 'MalformedJson', reason },
})

/** Levels of nesting; the outermost object is the first. */
const MAX_DEPTH = 64
/** Characters of a name in a message. */
const SHOWN = 64
/** Two integers of this many characters never share a double (IEEE 754). */
const EXACT_LENGTH = 15

const CONSTANTS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

const SPACE = 0x20
const WHITE_SPACE: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d])

/** For people: the column where the text stops being JSON, and the line if there are several. Columns count UTF-16 code units from 1. */
const reasonAt = (text: string, at: number): string => {
  if (at === text.length) return text.trim() === '' ? 'it is empty' : 'it is not well-formed: it ends too early'
  const line = text.includes('\n') ? `line ${text.slice(0, at).split('\n').length}, ` : ''
  return `it is not well-formed at ${line}column ${at - text.lastIndexOf('\n', at - 1)}`
}

const read = (text: string, rounds: boolean): Either<MalformedJson, unknown> => {
  // RFC 8259 §7: neither a quote, nor a backslash, nor a control character
  const plain = /[ !#-[\]-\uffff]*/y
  const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
  const integer = /-?(?:0|[1-9]\d*)/y
  const rest = /(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  const constant = /true|false|null/y
  let at = 0
  let refusal: string | undefined

  // in these functions, undefined is a fault: a refusal, or the text stops being JSON at `at`

  /** Moves over what the pattern matches here. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isFound = pattern.test(text)
    if (isFound) at = pattern.lastIndex
    return isFound
  }

  /** The character after white space; empty at the end. */
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
    const end = at
    skip(rest)
    const written = text.slice(start, at)
    const exact = at === end && end - start <= EXACT_LENGTH ? Number(written) : exactNumber(written)
    return rounds && Number.isNaN(exact) ? Number(written) : exact
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
      // an assignment would set the prototype
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
      // a copy: a slice would keep the whole text in memory
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
 * The value of a JSON text (RFC 8259). Like `JSON.parse`, but exact: an integer of up to 20 digits, and so every int64, is a
 * bigint if no double holds it. Any other number is the nearest double. Also refuses duplicate names in an object, and more than 64
 * levels.
 *
 * @example
 * parseJson('[1, 9223372036854775807]') // => E.right([1, 9223372036854775807n])
 * parseJson('{"a":1,"a":2}') // => E.left({ _tag: 'MalformedJson', reason: 'the name "a" appears twice in one object' })
 */
export const parseJson = (text: string): Either<MalformedJson, unknown> => read(text, true)

/**
 * Like `parseJson`, for a value that codecs check: a number that is not an integer but would be rounded to a safe one is NaN, which
 * no codec accepts. `fromJson` parses in the same way.
 *
 * @example
 * parseExactJson('4.0000000000000000001') // => E.right(Number.NaN)
 * parseJson('4.0000000000000000001') // => E.right(4)
 */
export const parseExactJson = (text: string): Either<MalformedJson, unknown> => read(text, false)
