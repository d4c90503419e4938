// A clock that only the test moves.
import type { Instant } from '../../../src/domain/codecs/scalar.js'
import type { Clock } from '../../../src/ports/clock.js'

export interface MovableClock extends Clock {
  readonly advance: (milliseconds: number) => void
  /** Sets back only the wall clock, as an operator may. */
  readonly setBack: (milliseconds: number) => void
}

export const makeMovableClock = (start: Instant = 1_000_000): MovableClock => {
  let now = start
  let monotonicMs = 0
  return {
    now: () => now,
    monotonicMs: () => monotonicMs,
    advance: (milliseconds) => {
      now += milliseconds
      monotonicMs += milliseconds
    },
    setBack: (milliseconds) => {
      now -= milliseconds
    },
  }
}
