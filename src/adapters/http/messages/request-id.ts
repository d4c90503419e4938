// The id that connects a response, its log line and its trace.
import { randomUUID } from 'node:crypto'
import { API_KEY_PREFIX } from '../../../domain/api-keys/api-key-text.js'

const SAFE_ID = /^[\w.:+/=@~-]{1,128}$/

/**
 * The client's request id if it is safe in a header and in a log, otherwise a new one. An API key that is sent here by mistake
 * must reach neither of them.
 */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && SAFE_ID.test(sent) && !sent.toLowerCase().includes(API_KEY_PREFIX) ? sent : randomUUID()

// W3C Trace Context §3.2: version, trace id, parent id, flags; ids of zeros are invalid, and so is a longer text of version 00
const VERSION_00_LENGTH = 55
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/**
 * A valid `traceparent` header, to be passed on: what a later version may append is left out (W3C Trace Context §2.2.3).
 */
export const traceParentOf = (traceparent: string): string | undefined =>
  TRACEPARENT.test(traceparent) ? `00${traceparent.slice(2, VERSION_00_LENGTH)}` : undefined

/** The trace id of a valid `traceparent` header. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]
