// JSON bodies in, without losing a digit of an int64.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { parse } from 'lossless-json'
import { int64FromJsonNumber } from '../../../domain/int64.js'
import type { HttpFailure } from '../http-failure.js'
import { judgeJson } from './judge-json.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'

// every number of the interface is an int64: any other becomes NaN, which no codec accepts
const parseNumber = (text: string): bigint | number =>
  O.getOrElse((): bigint | number => Number.NaN)(int64FromJsonNumber(text))

const malformed = (reason: string): E.Either<HttpFailure, never> => E.left({ _tag: 'MalformedJson', reason })

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The value of a JSON text (RFC 8259). Its integers are exact: bigints, or numbers where none of the text's has more than 15
 * digits, for then the runtime's own parser is exact, and four times as fast.
 */
export const readJson = (bytes: Uint8Array): E.Either<HttpFailure, unknown> => {
  const text = decodeText(bytes)
  if (text === undefined) return malformed('it is not valid UTF-8')
  if (text.startsWith(BYTE_ORDER_MARK)) return malformed('it starts with a byte order mark')
  const { fault, isExactInDoubles } = judgeJson(text)
  if (fault !== undefined) return malformed(fault)
  try {
    const value: unknown = isExactInDoubles ? JSON.parse(text) : parse(text, undefined, { parseNumber })
    return E.right(value)
  } catch {
    return malformed('it is not well-formed')
  }
}
