import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../src/domain/retry-after.js'

const NOW = Date.UTC(2026, 10, 25, 12, 0, 0)

describe('Retry-After', () => {
  it.each<readonly [string | undefined, number | undefined]>([
    [undefined, undefined],
    ['40', 40_000],
    ['Wed, 25 Nov 2026 12:00:40 GMT', 40_000],
    ['Wednesday, 25-Nov-26 12:00:40 GMT', 40_000],
    ['Wed Nov 25 12:00:40 2026', 40_000],
    ['Tue Dec  1 12:00:00 2026', 3_600_000],
    ['Mon, 23 Nov 2020 09:00:00 GMT', 0],
    ['99999999999', 3_600_000],
    ['-40', undefined],
    ['', undefined],
    ['2026-11-25T12:00:40Z', undefined],
    ['Wed, 25 Nov 2026 12:00:40', undefined],
    ['25 Nov 2027 12:00:40 GMT', undefined],
    ['Wed, 00 Dec 2026 12:00:40 GMT', undefined],
    ['x Wed, 25 Nov 2026 12:00:40 GMT', undefined],
  ])('of %j is a wait of %s ms', (text, wait) => {
    expect(retryAfterMs(text, NOW)).toBe(wait)
  })
})
