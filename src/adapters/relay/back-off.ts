import type { DurationMs } from '../../domain/codecs/instant.js'
import type { Crypto } from '../../ports/crypto.js'

export interface BackOff {
  /** Delay after the first failure; it doubles with each further failure. */
  readonly initialMs: DurationMs
  readonly maxMs: DurationMs
}

/**
 * Exponential back-off: milliseconds to wait after this many consecutive failures (at least one): a random time between half of the delay and
 * all of it, so that instances that failed together do not retry together.
 */
export const makeBackOff =
  (crypto: Pick<Crypto, 'randomBytes'>, { initialMs, maxMs }: BackOff) =>
  (failures: number): DurationMs => {
    const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
    const random = crypto.randomBytes(4).reduce((value, byte) => (value + byte) / 256, 0)
    return Math.round((delayMs * (1 + random)) / 2)
  }
