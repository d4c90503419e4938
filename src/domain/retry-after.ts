// Reads Retry-After.

/** The three forms of RFC 9110 §5.6.7; the last implies GMT. Date.parse alone would accept even `Retry 2027`. */
const HTTP_DATE =
  /^(?:[MTWFS][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT|[MTWFS][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** Limits the effect of a wrong date or of a long maintenance page. */
const MAX_WAIT_MS = 3_600_000

/** The wait in `Retry-After` (RFC 9110 §10.2.3): 0 to 3,600,000 ms; undefined if it is absent or unreadable. */
export const retryAfterMs = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_WAIT_MS)
  const date = HTTP_DATE.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_WAIT_MS)
}
