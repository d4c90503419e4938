// Closes everything that a test opened after the test, last opened first.
import { afterEach } from 'vitest'

export type Closing = <A>(value: A, close: (value: A) => Promise<unknown>) => A

/** Call it once per file or suite. */
export const closeAfterEach = (): Closing => {
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  return (value, close) => {
    closers.push(() => close(value))
    return value
  }
}
