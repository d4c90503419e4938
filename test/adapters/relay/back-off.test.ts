import { describe, expect, it } from 'vitest'
import { makeBackOff } from '../../../src/adapters/relay/back-off.js'

const settings = { initialMs: 100, maxMs: 5_000 }
const rolled = (...bytes: readonly number[]) => makeBackOff({ randomBytes: () => Uint8Array.from(bytes) }, settings)

describe('makeBackOff', () => {
  it.each([
    [1, 50, 100],
    [2, 100, 200],
    [6, 1_600, 3_200],
    [7, 2_500, 5_000],
    [5_000, 2_500, 5_000],
  ])('waits after %i failures from %i to %i ms', (failures, least, most) => {
    expect(rolled(0, 0, 0, 0)(failures)).toBe(least)
    expect(rolled(255, 255, 255, 255)(failures)).toBe(most)
  })
})
