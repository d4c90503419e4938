import { onTestFinished, vi } from 'vitest'

/** Until the test ends. */
export const useFakeTimers = (settings?: Parameters<typeof vi.useFakeTimers>[0]): void => {
  vi.useFakeTimers(settings)
  onTestFinished(() => void vi.useRealTimers())
}
