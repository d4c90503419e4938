// Parses JSON without losing a digit and without guessing. Needs no dependency at run time.
import type { Either } from 'fp-ts/lib/Either.js'
import { exactValue } from './exact-value.js'
import { faultText } from './find-fault.js'
import { judgeJson } from './judge-json.js'

/** The text is not well-formed JSON, or has more than one reading. @since 1.0.0 @category JSON */
export interface MalformedJson {
  readonly _tag: 'MalformedJson'
  readonly reason: string
}

const malformed = (reason: string): Either<MalformedJson, never> => ({
  _tag: 'Left',
  left: { _tag: 'MalformedJson', reason },
})

const parse = (text: string, utf8Bytes?: Uint8Array): Either<MalformedJson, unknown> => {
  const { fault, isExactInDoubles } = judgeJson(text, utf8Bytes)
  if (fault !== undefined) return malformed(fault)
  try {
    // the runtime's own parser checks the grammar, and is enough if no digit can be lost
    if (isExactInDoubles) return { _tag: 'Right', right: JSON.parse(text) as unknown }
    JSON.parse(text)
    return { _tag: 'Right', right: exactValue(text) }
  } catch {
    return malformed(faultText(text))
  }
}

/**
 * The value of a JSON text (RFC 8259). Like `JSON.parse`, but exact: an integer of up to 20 digits, and so every int64, is a
 * bigint if no double holds it. Any other number is the nearest double, and a safe integer only if it equals that integer.
 * Also refuses duplicate names in an object, and more than 64 levels.
 *
 * @since 1.0.0 @category JSON
 * @example
 * parseJson('[1, 9223372036854775807]') // => E.right([1, 9223372036854775807n])
 * parseJson('{"a":1,"a":2}') // => E.left({ _tag: 'MalformedJson', reason: 'the name "a" appears twice in one object' })
 */
export const parseJson = (text: string): Either<MalformedJson, unknown> => parse(text)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The value of a JSON text in UTF-8, without a byte order mark (RFC 8259 §8.1); otherwise like `parseJson`.
 *
 * @example
 * parseJsonBytes(new TextEncoder().encode('[1]')) // => E.right([1])
 * parseJsonBytes(Uint8Array.of(0xff)) // => E.left({ _tag: 'MalformedJson', reason: 'it is not valid UTF-8' })
 */
export const parseJsonBytes = (bytes: Uint8Array): Either<MalformedJson, unknown> => {
  const text = decodeText(bytes)
  if (text === undefined) return malformed('it is not valid UTF-8')
  return text.startsWith(BYTE_ORDER_MARK) ? malformed('it starts with a byte order mark') : parse(text, bytes)
}
