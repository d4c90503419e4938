// How long to wait before the next try: doubling, bounded, and partly left to chance.
import type { Crypto } from '../ports/crypto.js'

export interface BackOff {
  /** Milliseconds after the first failure. */
  readonly first: number
  /** Milliseconds at most. */
  readonly most: number
}

/**
 * Milliseconds to wait after so many failures in a row, at least one. Half of it is left to chance, so that
 * instances which failed together do not try again together.
 */
export const makeBackOff =
  (crypto: Pick<Crypto, 'randomBytes'>, { first, most }: BackOff) =>
  (failures: number): number => {
    const full = Math.min(most, first * 2 ** (failures - 1))
    const chance = crypto.randomBytes(4).reduce((value, byte) => (value + byte) / 256, 0)
    return Math.round((full * (1 + chance)) / 2)
  }
