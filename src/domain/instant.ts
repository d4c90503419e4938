// A moment, as a plain number that every store can hold.

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/**
 * The moment as RFC 3339 text in UTC, with milliseconds.
 *
 * @example
 * instantText(0) // => '1970-01-01T00:00:00.000Z'
 */
export const instantText = (instant: Instant): string => new Date(instant).toISOString()
