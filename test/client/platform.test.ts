import { describe, expect, it, vi } from 'vitest'
import { webPlatform } from '../../src/client/platform.js'
import { useFakeTimers } from '../support/runner/fake-timers.js'

describe('the platform of browsers and Node', () => {
  it('waits longer than one timer can', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    webPlatform.schedule(2 ** 32, run)
    const cancel = webPlatform.schedule(Number.POSITIVE_INFINITY, run)
    vi.advanceTimersByTime(2 ** 32 - 1)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledOnce()
    cancel()
    expect(vi.getTimerCount()).toBe(0)
  })
})
