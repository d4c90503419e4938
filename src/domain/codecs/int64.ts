// int64 as bigint, the only type of the language that holds every value of openapi.yaml's `format: int64`.
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

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

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/

/** An int64 from its canonical text: digits without `+`, leading zeros, fraction or exponent. */
export const int64FromPlainText = (text: string): O.Option<bigint> =>
  O.filter(Int64.is)(PLAIN.test(text) ? O.some(BigInt(text)) : O.none)
