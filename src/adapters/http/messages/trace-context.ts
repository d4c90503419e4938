// The trace of a client that a request belongs to (W3C Trace Context).

// §3.2: version, trace id, parent id, flags; ids of zeros are invalid, and so is a longer text of version 00
const VERSION_00_LENGTH = 55
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/**
 * A valid `traceparent` header, to be passed on: what a later version may append is left out (§2.2.3).
 */
export const traceParentOf = (traceparent: string): string | undefined =>
  TRACEPARENT.test(traceparent) ? `00${traceparent.slice(2, VERSION_00_LENGTH)}` : undefined

/** The trace id of a valid `traceparent` header. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]
