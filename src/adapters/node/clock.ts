// The clock of the machine.
import type { Clock } from '../../ports/clock.js'

export const systemClock: Clock = { now: Date.now, monotonicMs: () => performance.now() }
