// Parses JSON (RFC 8259) without losing a digit and without guessing. Needs no dependency at run time.
import type { Either } from 'fp-ts/lib/Either.js'
import { type JsonFault, type ReadJson, scanJson } from './scan-json.js'

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

const LINE_FEED = 0x0a

/** For people: the column where the text stops being JSON, and the line if there are several. Columns count UTF-16 code units from 1. */
const reasonOf = (fault: JsonFault, text: string): string => {
  if (fault._tag === 'Refused') return fault.reason
  if (fault.at === text.length) return text.trim() === '' ? 'it is empty' : 'it is not well-formed: it ends too early'
  let line = 1
  let column = 1
  for (let at = 0; at < fault.at; at += 1) {
    column += 1
    if (text.charCodeAt(at) === LINE_FEED) {
      line += 1
      column = 1
    }
  }
  return `it is not well-formed at ${text.includes('\n') ? `line ${line}, ` : ''}column ${column}`
}

/** Puts the numbers in the place of the fractions, each of which is the index of a number and a half. */
const withNumbers = (value: unknown, numbers: readonly (number | bigint)[]): unknown => {
  if (typeof value === 'number') return Number.isInteger(value) ? value : numbers[Math.floor(value)]
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) members[name] = withNumbers(members[name], numbers)
  return members
}

/** Lets the runtime's own parser read all but the long numbers: without them, it finds no fraction but the marks in their places. */
const exactValue = (text: string, { longNumbers }: ReadJson, rounds: boolean): unknown => {
  const numbers: (number | bigint)[] = []
  let marked = ''
  let written = 0
  for (const [start, end] of longNumbers) {
    marked += `${text.slice(written, start)}${numbers.length}.5`
    const literal = text.slice(start, end)
    const number = exactNumber(literal)
    numbers.push(rounds && Number.isNaN(number) ? Number(literal) : number)
    written = end
  }
  return withNumbers(JSON.parse(marked + text.slice(written)), numbers)
}

const read = (text: string, rounds: boolean): Either<MalformedJson, unknown> => {
  const scanned = scanJson(text)
  if (scanned._tag !== 'Read') return malformed(reasonOf(scanned, text))
  const isExact = scanned.longNumbers.length === 0
  return { _tag: 'Right', right: isExact ? (JSON.parse(text) as unknown) : exactValue(text, scanned, rounds) }
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
