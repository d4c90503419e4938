import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../src/domain/retry-after.js'

const NOW = Date.UTC(2026, 10, 25, 12, 0, 0)

describe('Retry-After', () => {
  it.each<readonly [string | undefined, number | undefined]>([
    [undefined, undefined],
    ['0', 0],
    ['40', 40_000],
    ['007', 7_000],
    ['Wed, 25 Nov 2026 12:00:40 GMT', 40_000],
    ['Wednesday, 25-Nov-26 12:00:40 GMT', 40_000],
    ['Wed Nov 25 12:00:40 2026', 40_000],
    ['Tue Dec  1 12:00:00 2026', 518_400_000],
    ['Thu, 31 Dec 2026 23:59:60 GMT', 3_153_600_000],
    // more than 50 years ahead would be the century before
    ['Wednesday, 25-Nov-76 12:00:00 GMT', Date.UTC(2076, 10, 25, 12) - NOW],
    ['Friday, 25-Nov-77 12:00:00 GMT', 0],
    ['Mon, 23 Nov 2020 09:00:00 GMT', 0],
    ['Tue, 01 Jan 0050 00:00:00 GMT', 0],
    ['40.5', undefined],
    ['-40', undefined],
    ['+40', undefined],
    ['1e3', undefined],
    ['0x40', undefined],
    ['', undefined],
    ['40, 40', undefined],
    ['soon', undefined],
    ['Sunday', undefined],
    ['2026-11-25T12:00:40Z', undefined],
    ['25 Nov 2027 12:00:40 GMT', undefined],
    ['Wed, 25 Nov 2026 12:00:40', undefined],
    ['Wed, 25 Nov 2026 12:00:40 CET', undefined],
    ['wed, 25 nov 2026 12:00:40 gmt', undefined],
    ['Wed, 5 Nov 2027 12:00:40 GMT', undefined],
    ['Wed, 31 Feb 2027 12:00:40 GMT', undefined],
    ['Wed, 00 Dec 2026 12:00:40 GMT', undefined],
    ['Wed, 25 Nov 2027 24:00:00 GMT', undefined],
    ['x Wed, 25 Nov 2026 12:00:40 GMT', undefined],
  ])('of %j is a wait of %s ms', (text, wait) => {
    expect(retryAfterMs(text, NOW)).toBe(wait)
  })
})
