import { vi } from 'vitest'

interface WaitOptions {
  readonly timeout?: number
  readonly interval?: number
}

/** Repeats the check until it passes. Rejects with the last error after 20 s. */
export const eventually = <A>(check: () => A | Promise<A>, options: WaitOptions = {}): Promise<A> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20, ...options })
