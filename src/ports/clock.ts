import type { Instant } from '../domain/instant.js'

/** Tells the time. */
export interface Clock {
  readonly now: () => Instant
}
