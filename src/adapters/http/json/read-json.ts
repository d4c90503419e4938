// Reads JSON bodies: decodes strict UTF-8, then parses without losing a digit.
import * as E from 'fp-ts/lib/Either.js'
import { parseJson } from '../../../domain/json/parse-json.js'
import type { HttpFailure } from '../http-failure.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'

const malformed = (reason: string): E.Either<HttpFailure, never> => E.left({ _tag: 'MalformedJson', reason })

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The value of a body: see `parseJson`. */
export const readJson = (bytes: Uint8Array): E.Either<HttpFailure, unknown> => {
  const text = decodeText(bytes)
  if (text === undefined) return malformed('it is not valid UTF-8')
  return text.startsWith(BYTE_ORDER_MARK) ? malformed('it starts with a byte order mark') : parseJson(text)
}
