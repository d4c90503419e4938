// The Prefer header (RFC 7240).
import type { HttpRequest } from './request.js'

/** Whether the caller requests an exact count. If a preference is repeated, the first one applies. */
export const prefersExactCount = (request: HttpRequest): boolean => {
  const preferences = request.header('prefer').flatMap((line) => line.split(','))
  const count = preferences
    .map((preference) => preference.split(';')[0]?.trim() ?? '')
    .find((text) => /^count\b/i.test(text))
  return count !== undefined && /^count\s*=\s*"?exact"?$/i.test(count)
}
