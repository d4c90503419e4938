// Codecs of single values: texts, counts, int64 (as bigint, the only type that holds all of them), instants, durations.
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

declare const unit: unique symbol

/** A value with a unit. A plain number or bigint is assignable, but a value with another unit does not compile. */
export type Of<A, Unit extends string> = A & { readonly [unit]?: Unit }

/** The codec of values that pass the guard; `rule` is the message for others. */
export const guarded = <A extends B, B = A>(
  name: string,
  is: (u: unknown) => u is A,
  rule: string,
): t.Type<A, B, unknown> =>
  new t.Type<A, B, unknown>(name, is, (u, context) => (is(u) ? t.success(u) : t.failure(u, context, rule)), t.identity)

export const oneOf = <A extends string>(name: string, values: readonly A[]): t.Type<A, A, unknown> =>
  guarded(name, (u): u is A => values.some((value) => value === u), `must be one of ${values.join(', ')}`)

export const Text = guarded('Text', t.string.is, 'must be a string')

/** An identifier from callers: short enough for the keys of any store. */
export const PrintableText = guarded(
  'PrintableText',
  (u): u is string => typeof u === 'string' && /^[\x20-\x7e]{1,255}$/.test(u),
  'must have 1 to 255 printable ASCII characters',
)

/** Completes "must be …" here, and "wanted …" in problems of the configuration. */
export const PUBLIC_URL_FORM = 'an absolute http or https URL in ASCII that ends with /v1'

/** The address of a service, which is sent in headers: in ASCII, and with neither credentials nor a query. */
export const PublicUrl = guarded(
  'PublicUrl',
  (u): u is string => typeof u === 'string' && /^https?:\/\/[\w.~:/[\]!$&'()*+,;=%-]+\/v1$/.test(u) && URL.canParse(u),
  `must be ${PUBLIC_URL_FORM}`,
)

/** No pattern: `https://*.shop.example` would never match. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/

/** As browsers write it (RFC 6454 §6.2). */
export const Origin = guarded(
  'Origin',
  (u): u is string => typeof u === 'string' && ORIGIN.test(u) && URL.canParse(u) && new URL(u).origin === u,
  'must be an origin like https://shop.example',
)

/** What precedes `.pet.created.v1` in the types of events, and in NATS subjects: no wildcards, empty tokens or reserved names (`_INBOX`). */
export const EventsTypePrefix = guarded(
  'EventsTypePrefix',
  (u): u is string => typeof u === 'string' && u.length <= 200 && /^[^\W_][\w-]*(?:\.[^\W_][\w-]*)*$/.test(u),
  'must be words of letters, digits, - and _ that begin with a letter or digit, joined by dots (200 characters at most)',
)

export const Flag = guarded('Flag', t.boolean.is, 'must be true or false')

const isCount = (u: unknown): u is number => typeof u === 'number' && Number.isSafeInteger(u) && u >= 0
export const Count = guarded('Count', isCount, 'must be an integer from 0')

export const Positive = guarded('Positive', (u): u is number => isCount(u) && u > 0, 'must be an integer from 1')

export const MAX_INT64 = 2n ** 63n - 1n
export const MIN_INT64 = ~MAX_INT64

/** The integers within these bounds, decoded from a bigint or a safe integer (-0 is 0). */
export const integerBetween = (name: string, min: bigint, max: bigint): t.Type<bigint, bigint, unknown> => {
  const isInside = (u: unknown): u is bigint => typeof u === 'bigint' && u >= min && u <= max
  return new t.Type(
    name,
    isInside,
    (u, context) => {
      const value = typeof u === 'number' && Number.isSafeInteger(u) ? BigInt(u) : u
      if (isInside(value)) return t.success(value)
      return t.failure(u, context, `must be an integer from ${min} to ${max}${t.string.is(u) ? ', not a string' : ''}`)
    },
    t.identity,
  )
}

export const Int64 = integerBetween('Int64', MIN_INT64, MAX_INT64)

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/

/** An int64 from its canonical text: digits without `+`, leading zeros, fraction or exponent. */
export const int64FromPlainText = (text: string): O.Option<bigint> =>
  O.filter(Int64.is)(PLAIN.test(text) ? O.some(BigInt(text)) : O.none)

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Of<number, 'ms since 1970'>

/** The limits of a Date (ECMA-262 §21.4.1.1). */
const LAST_MS = 8_640_000_000_000_000

const isInstant = (u: unknown): u is Instant => typeof u === 'number' && Number.isInteger(u) && Math.abs(u) <= LAST_MS

/** An instant that a Date can represent. */
export const Instant = guarded<Instant, number>('Instant', isInstant, 'must be an integer of milliseconds since 1970')

/** RFC 3339 text in UTC, with milliseconds. */
export const instantText = (instant: Instant): string => new Date(instant).toISOString()

// RFC 3339 years have four digits; `instantText` writes all other years with a sign and six digits
const RFC_3339 = /^((?:\d{4}|[+-]\d{6})-\d{2}-\d{2})T(?!24)\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** Whether a day such as 2026-11-21 exists: `Date.parse` would read 30 February as 2 March. */
export const isDay = (day: string): boolean => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

const instantOf = (text: string): Instant => {
  const day = RFC_3339.exec(text)?.[1]
  return day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN
}

/** An instant from RFC 3339 text with any offset; digits beyond milliseconds are dropped. */
export const InstantFromString = new t.Type<Instant, string, unknown>(
  'InstantFromString',
  isInstant,
  (u, context) => {
    const instant = typeof u === 'string' ? instantOf(u) : Number.NaN
    return isInstant(instant) ? t.success(instant) : t.failure(u, context, 'must be a time like 2026-11-21T09:30:00Z')
  },
  instantText,
)

export type DurationMs = Of<number, 'ms'>

/** A hundred years, so that the present plus a duration is still a valid date. */
const MAX_DURATION_MS = 3_155_760_000_000

export const DurationMs = guarded<DurationMs, number>(
  'DurationMs',
  (u): u is DurationMs => isCount(u) && u <= MAX_DURATION_MS,
  `must be an integer of milliseconds from 0 to ${MAX_DURATION_MS}`,
)
