// Request headers that have a grammar of their own: ids, traces, preferences, idempotency keys, media types.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { mayHoldSecret } from '../../../domain/api-keys/api-key-text.js'
import type { HttpFailure } from '../failures.js'
import type { HttpRequest } from './message.js'

type Headers = Pick<HttpRequest, 'header'>

const SAFE_ID = /^[\w.:+/=@~-]{1,128}$/

/**
 * The client's request id if it is safe in a header and in a log, otherwise a new one. An API key, or its secret, that is sent here by
 * mistake must reach neither of them.
 */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && SAFE_ID.test(sent) && !mayHoldSecret(sent) ? sent : crypto.randomUUID()

// W3C Trace Context §3.2: version, trace id, parent id, flags; ids of zeros are invalid, and so is a longer text of version 00
const VERSION_00_LENGTH = 55
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/** A valid `traceparent`, to be passed on: what a later version may append is left out (§2.2.3). */
export const traceParentOf = (traceparent: string): string | undefined =>
  TRACEPARENT.test(traceparent) ? `00${traceparent.slice(2, VERSION_00_LENGTH)}` : undefined

/** The trace id of a valid `traceparent`. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]

/** The text between two commas; a quoted text may contain commas. A quote that is never closed takes the rest, in one pass. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\[\s\S]?)*"?)+/g

/** Whether the caller requests an exact count (RFC 7240). If a preference is repeated, the first one applies. */
export const prefersExactCount = ({ header }: Headers): boolean => {
  const count = header('prefer')
    .flatMap((line) => line.match(PREFERENCE) ?? [])
    .map((preference) => preference.split(';', 1)[0]?.trim() ?? '')
    .find((text) => /^count\s*(?:=|$)/i.test(text))
  return count !== undefined && /^count\s*=\s*"?exact"?$/i.test(count)
}

const BARE_KEY = /^[\x21-\x7e]{1,255}$/
const QUOTED_KEY = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

const invalidKey = (reason: string): E.Either<HttpFailure, never> =>
  E.left({ _tag: 'InvalidParameter', reason: `Idempotency-Key ${reason}` })

/** The idempotency key: 1 to 255 visible characters. A quoted one (RFC 8941 §3.3.3) equals its bare form. */
export const idempotencyKeyOf = ({ header }: Headers): E.Either<HttpFailure, O.Option<string>> => {
  const [sent, ...more] = header('idempotency-key')
  if (sent === undefined) return E.right(O.none)
  if (more.length > 0) return invalidKey('must be given once')
  const key = QUOTED_KEY.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? sent
  const isWellFormed = BARE_KEY.test(key) && (key !== sent || !sent.startsWith('"'))
  return isWellFormed ? E.right(O.some(key)) : invalidKey('must have 1 to 255 visible characters, quoted or bare')
}

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

/** The failure of a request whose headers announce a body that is not plain JSON in UTF-8. */
export const mediaTypeFailure = ({ header }: Headers): HttpFailure | undefined => {
  const types = header('content-type')
  const [type = ''] = types
  const isJson = types.length === 1 && (type === 'application/json' || MEDIA_TYPE.test(type))
  if (!isJson) return unsupported('the Content-Type must be application/json')
  if (type.includes(';') && !charsetsOf(type).every((charset) => charset === 'utf-8'))
    return unsupported('the charset must be utf-8')
  // one line may name several codings, and the fetch standard joins all lines
  const codings = header('content-encoding').flatMap((line) => line.split(','))
  const isIdentity = codings.every((coding) => coding.trim().toLowerCase() === 'identity')
  return isIdentity ? undefined : unsupported('the Content-Encoding must be identity')
}
