import { expect } from 'vitest'

export const makeGate = () => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let count = 0
  const pass = (): Promise<void> => {
    count += 1
    return opened
  }
  /** Resolves once this many callers have arrived. */
  const entered = (wanted: number): Promise<void> => expect.poll(() => count).toBe(wanted)
  return { open, opened, pass, entered }
}
