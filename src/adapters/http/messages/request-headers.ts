// Parses request headers: ids, traces, preferences, idempotency keys, media types, and the conditions of creates.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { mayHoldSecret } from '../../../domain/api-keys/api-key-text.js'
import type { HttpFailure } from '../failures.js'
import { itemFrom, membersOf, preferenceFrom, valueIn } from './field-values.js'
import type { HttpRequest } from './message.js'

type Headers = Pick<HttpRequest, 'header'>

const SAFE_ID = /^[\w.:+/=@~-]{1,128}$/

/**
 * The client's request id if it is safe in headers and logs, otherwise a new one. An API key or secret sent here by
 * mistake must reach neither.
 */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && SAFE_ID.test(sent) && !mayHoldSecret(sent) ? sent : crypto.randomUUID()

// W3C Trace Context §3.2: version, trace id, parent id, flags. All-zero ids are invalid; version 00 has a fixed length
const VERSION_00_LENGTH = 55
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/** A valid `traceparent` as version 00, to pass on, without what later versions append (§2.2.3). */
export const traceParentOf = (traceparent: string): string | undefined =>
  TRACEPARENT.test(traceparent) ? `00${traceparent.slice(2, VERSION_00_LENGTH)}` : undefined

/** The trace id of a valid `traceparent`. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]

/** Whether the caller prefers an exact count (RFC 7240). The first of repeated preferences applies. */
export const prefersExactCount = ({ header }: Headers): boolean => {
  const preferences = membersOf(header('prefer')).map((member) => preferenceFrom(valueIn(member)))
  return preferences.find((preference) => preference?.name === 'count')?.value?.toLowerCase() === 'exact'
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

// a weight of RFC 9110 §12.4.2
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
const MEDIA_RANGE = /^[^\s/]+\/[^\s/]+$/

/** The weights of the media ranges in `Accept`, without malformed ones. */
const weightsOf = ({ header }: Headers): readonly (readonly [range: string, weight: number])[] =>
  membersOf(header('accept')).flatMap((member) => {
    const item = itemFrom(member)
    const [, weight = '1'] = item?.parameters.find(([name]) => name === 'q') ?? []
    return item !== undefined && MEDIA_RANGE.test(item.value) && WEIGHT.test(weight)
      ? [[item.value, Number(weight)] as const]
      : []
  })

/** JSON, or a range that includes it: what we have besides the type in question. */
const mayBeJson = (range: string): boolean => range === '*/*' || range === 'application/*' || range.endsWith('json')

/** Whether the client names this media type and prefers it to every JSON (RFC 9110 §12.5.1). A tie goes to JSON. */
export const prefersType = (type: 'text/html' | 'text/event-stream', headers: Headers): boolean => {
  const weights = weightsOf(headers)
  const highestOf = (isOne: (range: string) => boolean): number =>
    Math.max(0, ...weights.flatMap(([range, weight]) => (isOne(range) ? [weight] : [])))
  return highestOf((range) => range === type) > highestOf(mayBeJson)
}

const unsupported = (reason: string): HttpFailure => ({ _tag: 'UnsupportedMediaType', reason })

/** The failure of a request whose headers announce a body that is not plain JSON in UTF-8. */
export const mediaTypeFailure = ({ header }: Headers): HttpFailure | undefined => {
  const [type = '', ...more] = header('content-type')
  if (type !== 'application/json' || more.length > 0) {
    const item = more.length > 0 ? undefined : itemFrom(type)
    if (item?.value !== 'application/json') return unsupported('the Content-Type must be application/json')
    if (item.parameters.some(([name, value]) => name === 'charset' && value.toLowerCase() !== 'utf-8'))
      return unsupported('the charset must be utf-8')
  }
  const codings = header('content-encoding')
  const isIdentity = codings.length === 0 || membersOf(codings).every((coding) => coding.toLowerCase() === 'identity')
  return isIdentity ? undefined : unsupported('the Content-Encoding must be identity')
}

const unmet = (reason: string): HttpFailure => ({ _tag: 'PreconditionFailed', reason })

/**
 * The failure of a conditional create. Its target, the list, exists, so `If-None-Match: *` never holds. `If-Match`
 * holds only for `*`, because a client would not mean the tag of the whole list.
 */
export const createConditionFailure = ({ header }: Headers): HttpFailure | undefined => {
  const match = header('if-match')
  if (match.length > 0 && match.join().trim() !== '*') return unmet('a create meets no If-Match but *')
  const isUnmet = header('if-none-match').some((line) => membersOf([line]).includes('*'))
  return isUnmet ? unmet('a create never meets If-None-Match: *') : undefined
}
