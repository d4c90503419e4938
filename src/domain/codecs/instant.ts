// Moments and spans of time, as plain numbers that every store can hold.
import * as t from 'io-ts'
import { guarded, type Of } from './guarded.js'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Of<number, 'ms since 1970'>

/** The limits of a Date (ECMA-262 §21.4.1.1). */
const LAST_MS = 8_640_000_000_000_000

const isInstant = (u: unknown): u is Instant => typeof u === 'number' && Number.isInteger(u) && Math.abs(u) <= LAST_MS

/** A moment that a date can hold, to the millisecond. */
export const Instant = guarded<Instant, number>('Instant', isInstant, 'must be an integer of milliseconds since 1970')

/** The moment as RFC 3339 text in UTC, with milliseconds. */
export const instantText = (instant: Instant): string => new Date(instant).toISOString()

// RFC 3339 years have four digits; `instantText` writes all other years with a sign and six digits
const RFC_3339 = /^((?:\d{4}|[+-]\d{6})-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** Whether the calendar has this day, such as 2026-11-21: `Date.parse` takes 30 February for 2 March. */
export const isDay = (day: string): boolean => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

const instantOf = (text: string): Instant => {
  const day = RFC_3339.exec(text)?.[1]
  return day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN
}

/** A moment from RFC 3339 text with any offset; digits beyond milliseconds are dropped. */
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

/** A hundred years: added to the present, it still gives a date. */
const MAX_DURATION_MS = 3_155_760_000_000

const DURATION_RULE = `must be an integer of milliseconds from 0 to ${MAX_DURATION_MS}`

const isDuration = (u: unknown): u is DurationMs =>
  typeof u === 'number' && Number.isInteger(u) && u >= 0 && u <= MAX_DURATION_MS

export const DurationMs = guarded<DurationMs, number>('DurationMs', isDuration, DURATION_RULE)
