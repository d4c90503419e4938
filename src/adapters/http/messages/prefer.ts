// The Prefer header (RFC 7240).
import type { HttpRequest } from './request.js'

/** The text between two commas; a quoted text may contain commas. A quote that is never closed takes the rest, in one pass. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\[\s\S]?)*"?)+/g

/** Whether the caller requests an exact count. If a preference is repeated, the first one applies. */
export const prefersExactCount = (request: HttpRequest): boolean => {
  const preferences = request.header('prefer').flatMap((line) => line.match(PREFERENCE) ?? [])
  const count = preferences
    .map((preference) => preference.split(';', 1)[0]?.trim() ?? '')
    .find((text) => /^count\s*(?:=|$)/i.test(text))
  return count !== undefined && /^count\s*=\s*"?exact"?$/i.test(count)
}
