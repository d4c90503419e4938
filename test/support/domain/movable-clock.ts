import type { Instant } from '../../../src/domain/codecs/scalar.js'

export const makeMovableClock = (start: Instant = 1_000_000) => {
  let now = start
  let monotonicMs = 0
  return {
    now: () => now,
    monotonicMs: () => monotonicMs,
    advance: (milliseconds: number): void => {
      now += milliseconds
      monotonicMs += milliseconds
    },
    /** Sets back only the wall clock, as an operator may. */
    setBack: (milliseconds: number): void => {
      now -= milliseconds
    },
  }
}
