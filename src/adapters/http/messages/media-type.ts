// Checks, before the body is read, that the headers announce JSON in UTF-8.
import type { HttpFailure } from '../http-failure.js'
import type { HttpRequest } from '../messages/request.js'

// media-type of RFC 9110 §8.3.1: parameters are tokens or quoted strings. Each repetition begins with a separate semicolon,
// so that a text matches in only one way, without backtracking.
const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const VALUE = `(?:${TOKEN}|"[^"\\\\]*")`
const MEDIA_TYPE = new RegExp(`^application/json(?:[ \\t]*;(?:[ \\t]*${TOKEN}=${VALUE})?)*[ \\t]*$`, 'i')
const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})=(${VALUE})`, 'g')

const charsetsOf = (type: string): readonly string[] =>
  [...type.matchAll(PARAMETER)].flatMap(([, name = '', value = '']) =>
    name.toLowerCase() === 'charset' ? [value.replaceAll('"', '').toLowerCase()] : [],
  )

const unsupported = (reason: string): HttpFailure => ({ _tag: 'UnsupportedMediaType', reason })

/** The failure of a request whose body is not plain JSON in UTF-8. */
export const mediaTypeFailure = (request: Pick<HttpRequest, 'header'>): HttpFailure | undefined => {
  const types = request.header('content-type')
  const [type = ''] = types
  const isJson = types.length === 1 && (type === 'application/json' || MEDIA_TYPE.test(type))
  if (!isJson) return unsupported('the Content-Type must be application/json')
  if (type.includes(';') && !charsetsOf(type).every((charset) => charset === 'utf-8'))
    return unsupported('the charset must be utf-8')
  // one line may name several codings, and the fetch standard joins all lines
  const codings = request.header('content-encoding').flatMap((line) => line.split(','))
  const isIdentity = codings.every((coding) => coding.trim().toLowerCase() === 'identity')
  return isIdentity ? undefined : unsupported('the Content-Encoding must be identity')
}
