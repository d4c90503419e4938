// What a test opened, closed after it, the last first.
import { afterEach } from 'vitest'

export type Closing = <A>(value: A, close: (value: A) => Promise<unknown>) => A

/** To be called once a file or suite. */
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
