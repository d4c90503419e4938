// Spans of time that callers choose.
import { guarded } from './guarded.js'
import type { Of } from './unit.js'

/** A span of time in milliseconds. */
export type DurationMs = Of<number, 'ms'>

/** A hundred years: added to the present, it still gives a date. */
const MAX_DURATION_MS = 3_155_760_000_000

export const DURATION_RULE = `must be an integer of milliseconds from 0 to ${MAX_DURATION_MS}`

const isDuration = (u: unknown): u is DurationMs =>
  typeof u === 'number' && Number.isInteger(u) && u >= 0 && u <= MAX_DURATION_MS

/** A span of at most a hundred years. */
export const DurationMs = guarded<DurationMs, number>('DurationMs', isDuration, DURATION_RULE)
