import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { makeRateLimit, rateLimitFields } from '../../../../src/adapters/http/access/rate-limit.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

/** Sends requests after these waits; returns the times at which they were accepted. */
const acceptedAt = async (
  settings: Parameters<typeof makeRateLimit>[0],
  waits: readonly number[],
): Promise<readonly number[]> => {
  const count = makeRateLimit(settings)
  const accepted: number[] = []
  let now = 0
  for (const waitMs of waits) {
    vi.advanceTimersByTime(waitMs)
    now += waitMs
    if (!(await count('one')).isExceeded) accepted.push(now)
  }
  return accepted
}

const useFakeClock = (): void => useFakeTimers({ toFake: ['performance'] })

describe('a rate limit', () => {
  it('accepts in no span of time more than its burst and what is refilled, and never less than its rate', async () => {
    useFakeClock()
    const settings = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 20 }) })
    const waits = fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3_000)), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(settings, waits, async ({ perSecond, burst }, sent) => {
        const accepted = await acceptedAt({ perSecond, burst }, sent)
        for (const [first, from] of accepted.entries()) {
          for (const [last, to] of accepted.entries()) {
            const allowed = burst + ((to - from) * perSecond) / 1_000 + 1e-6
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(allowed)
          }
        }
        const steady = Array.from({ length: 30 }, () => Math.ceil(1_000 / perSecond))
        expect(await acceptedAt({ perSecond, burst }, steady)).toHaveLength(30)
      }),
    )
  })

  it.each([
    [-1, 5],
    [Number.NaN, 5],
    [5, 0],
  ])('of %d per second and a burst of %d is refused', (perSecond, burst) => {
    expect(() => makeRateLimit({ perSecond, burst })).toThrow('wanted a perSecond above 0 and a burst of at least 1')
  })

  it('remembers the ten thousand that came last, and no more', async () => {
    useFakeClock()
    const count = makeRateLimit({ perSecond: 1, burst: 1 })
    const isExceededAfter = async (others: number): Promise<boolean> => {
      for (let other = 0; other < others; other += 1) await count(`other ${other} of ${others}`)
      return (await count('first')).isExceeded
    }
    expect(await isExceededAfter(5_000)).toBe(false)
    expect(await isExceededAfter(9_998)).toBe(true)
    expect(await isExceededAfter(9_999)).toBe(true)
    expect(await isExceededAfter(10_000)).toBe(false)
  })

  it.each([
    [{ perSecond: 4, burst: 7 }, '"default";q=7;w=2'],
    [{ perSecond: 5, burst: 5 }, '"default";q=5;w=1'],
    // a policy has whole seconds
    [{ perSecond: 10, burst: 5 }, '"default";q=10;w=1'],
  ])('shows %o in its headers', async (settings, policy) => {
    useFakeClock()
    expect(rateLimitFields(await makeRateLimit(settings)('one'))).toStrictEqual([
      ['RateLimit', `"default";r=${settings.burst - 1};t=1`],
      ['RateLimit-Policy', policy],
    ])
  })
})
