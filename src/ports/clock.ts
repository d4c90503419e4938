import type { Instant } from '../domain/codecs/scalar.js'

export interface Clock {
  /** Wall-clock time. An operator or a time server may set it back. */
  readonly now: () => Instant
  /** Milliseconds of a clock that only moves forward, for measuring durations. */
  readonly monotonicMs: () => number
}
