// Which request an answer, a log line and a trace belong to.
import { randomUUID } from 'node:crypto'

const SANE_ID = /^[\w.:+/=@~-]{1,128}$/

/** The client's request id if it is safe in a header and in a log, or a new one. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && SANE_ID.test(sent) ? sent : randomUUID()

// W3C Trace Context §3.2: version, trace id, parent id, flags; ids of zeros are invalid
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/** The trace that the request continues, if it says so. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]
