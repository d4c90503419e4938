// The contract of a clock.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.js'

const CALLS = 10_000
const PAUSE_MS = 50
/** A timer of Node may fire a millisecond early; one on a busy machine, long after its time. */
const [SHORTEST_MS, LONGEST_MS] = [PAUSE_MS - 5, 400 * PAUSE_MS]

const fromYear = (year: number): number => Date.UTC(year, 0)

/**
 * The vitest suite for a clock that shows the real time.
 *
 * @example
 * clockContract('mine', { now: () => Date.now(), monotonicMs: () => performance.now() })
 */
export const clockContract = (name: string, clock: Clock): void => {
  describe(`Clock: ${name}`, () => {
    it('shows the present in whole milliseconds', () => {
      const shown = Array.from({ length: CALLS }, () => clock.now())
      expect(shown.filter((now) => !Number.isInteger(now))).toStrictEqual([])
      // a count of seconds or microseconds is outside
      expect(shown.filter((now) => now < fromYear(2020) || now >= fromYear(10_000))).toStrictEqual([])
    })

    it('has a monotonic time that never steps back', () => {
      const shown = Array.from({ length: CALLS }, () => clock.monotonicMs())
      expect(shown.every(Number.isFinite)).toBe(true)
      expect(shown).toStrictEqual(shown.toSorted((one, other) => one - other))
    })

    it('measures a pause in milliseconds', async () => {
      const start = clock.monotonicMs()
      await pause(PAUSE_MS)
      const elapsedMs = clock.monotonicMs() - start
      expect(elapsedMs).toBeGreaterThan(SHORTEST_MS)
      expect(elapsedMs).toBeLessThan(LONGEST_MS)
    })
  })
}
