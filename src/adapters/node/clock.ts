// The system clock.
import type { Clock } from '../../ports/clock.js'

export const systemClock: Clock = { now: Date.now, monotonicMs: () => performance.now() }
