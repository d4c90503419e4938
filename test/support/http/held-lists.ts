// Services whose lists of pets take as long as the test wants.
import { expect } from 'vitest'
import { type Options, startHttp } from './http-service.js'

/** Lets each list wait before it reads. */
export const listsAfter =
  (wait: () => Promise<unknown>): NonNullable<Options['replace']> =>
  ({ pets }) => ({
    pets: {
      ...pets,
      findPage: (query) => async () => {
        await wait()
        return pets.findPage(query)()
      },
    },
  })

/** A service whose lists wait until `release` is called; `entered` resolves once this many of them have begun. */
export const startWithHeldLists = async (settings: Options['settings'] = {}) => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let begun = 0
  const hold = (): Promise<void> => {
    begun += 1
    return released
  }
  const service = await startHttp({ settings, replace: listsAfter(hold) })
  const entered = (count: number): Promise<void> => expect.poll(() => begun).toBe(count)
  return { ...service, entered, release }
}
