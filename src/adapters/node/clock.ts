// The system clock.
import type { Clock } from '../../ports/clock.js'

/** @since 1.0.0 @category Clock and crypto */
export const systemClock: Clock = { now: Date.now, monotonicMs: () => performance.now() }
