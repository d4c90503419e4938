import { onTestFinished, vi } from 'vitest'

/** Replaces timers and clocks by fake ones until the test ends. */
export const useFakeTimers = (settings?: Parameters<typeof vi.useFakeTimers>[0]): void => {
  vi.useFakeTimers(settings)
  onTestFinished(() => void vi.useRealTimers())
}
