// The trace that a request belongs to (W3C Trace Context), which its event carries on.
import { guarded } from '../codecs/guarded.js'

const TRACE_PARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

const isTraceParent = (u: unknown): u is string => typeof u === 'string' && TRACE_PARENT.test(u)

/** A `traceparent` of version 00: trace id, id of the parent span, flags. */
export const TraceParent = guarded('TraceParent', isTraceParent, 'must be a traceparent of version 00')
