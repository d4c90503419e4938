/** The wait in `Retry-After` (RFC 9110 §10.2.3) in milliseconds, 0 for a date that has passed; undefined: absent, or unreadable. */
export const retryAfterMs = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  // a date is in GMT and begins with the day of the week, in each of its three forms (§5.6.7), one of which does not say GMT
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
