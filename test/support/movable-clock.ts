// A clock that stands still until a test moves it.
import type { Instant } from '../../src/domain/instant.js'
import type { Clock } from '../../src/ports/clock.js'

export interface MovableClock extends Clock {
  readonly advance: (milliseconds: number) => void
}

export const makeMovableClock = (start: Instant = 1_000_000): MovableClock => {
  let now = start
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
