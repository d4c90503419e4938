import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parseJson } from '../json/parse-json.js'
import { type JsonValue, stringifyJson } from '../json/stringify-json.js'

/**
 * The codec of JSON texts for values of `codec`, with exact integers. `write` may be a faster writer of the same text.
 *
 * @example
 * const PetIdFromJson = fromJson('PetIdFromJson', PetId)
 * PetIdFromJson.decode('9007199254740991') // => E.right(MAX_PET_ID)
 */
export const fromJson = <A, O extends JsonValue>(
  name: string,
  codec: t.Type<A, O, unknown>,
  write: (value: A) => string = (value) => stringifyJson(codec.encode(value)),
): t.Type<A, string, unknown> =>
  new t.Type(
    name,
    codec.is,
    (u, context) => {
      if (typeof u !== 'string') return t.failure(u, context, 'must be a JSON text')
      const value = parseJson(u)
      return E.isLeft(value)
        ? t.failure(u, context, `must be a JSON text: ${value.left.reason}`)
        : codec.validate(value.right, [
            ...context.slice(0, -1),
            // for `faultsOf`, to which a part of a union has the value of the union
            ...context.slice(-1).map((entry) => ({ ...entry, actual: value.right })),
          ])
    },
    write,
  )
