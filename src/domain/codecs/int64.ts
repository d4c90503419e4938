// int64 as bigint, the only type of the language that holds every value of openapi.yaml's `format: int64`.
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { integerOf } from '../json/json-number.js'

export const MAX_INT64 = 2n ** 63n - 1n
export const MIN_INT64 = ~MAX_INT64

/** The integers in these bounds, decoded from a bigint or from a safe integer (-0 is 0). */
export const integerBetween = (name: string, min: bigint, max: bigint): t.Type<bigint, bigint, unknown> => {
  const isInside = (u: unknown): u is bigint => typeof u === 'bigint' && u >= min && u <= max
  return new t.Type(
    name,
    isInside,
    (u, context) => {
      const value = typeof u === 'number' && Number.isSafeInteger(u) ? BigInt(u) : u
      return isInside(value)
        ? t.success(value)
        : t.failure(
            u,
            context,
            `must be an integer from ${min} to ${max}${typeof u === 'string' ? ', not a string' : ''}`,
          )
    },
    t.identity,
  )
}

export const Int64 = integerBetween('Int64', MIN_INT64, MAX_INT64)

const inRange = (value: bigint | undefined): O.Option<bigint> => (Int64.is(value) ? O.some(value) : O.none)

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/

/**
 * An int64 from its canonical text: digits without `+`, leading zeros, fraction or exponent.
 *
 * @example
 * int64FromPlainText('-42') // => O.some(-42n)
 * int64FromPlainText('042') // => O.none
 */
export const int64FromPlainText = (text: string): O.Option<bigint> =>
  PLAIN.test(text) ? inRange(BigInt(text)) : O.none

export const Int64FromString = new t.Type<bigint, string, unknown>(
  'Int64FromString',
  Int64.is,
  (u, context) => {
    const value = typeof u === 'string' ? int64FromPlainText(u) : O.none
    return O.isSome(value) ? t.success(value.value) : t.failure(u, context, 'must be the digits of an int64')
  },
  String,
)

/**
 * An int64 from the text of a JSON number (RFC 8259 §6) whose value is an integer, in any notation: `1`, `1.0`, `1e2`.
 * Exact, in time linear in the length of the text: an exponent never makes it build a long number.
 *
 * @example
 * int64FromJsonNumber('1.50e1') // => O.some(15n)
 * int64FromJsonNumber('1.5') // => O.none
 */
export const int64FromJsonNumber = (text: string): O.Option<bigint> => inRange(integerOf(text))
