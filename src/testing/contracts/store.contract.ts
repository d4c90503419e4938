// The contract of a store as a whole, beside the contracts of its ports.
import * as E from 'fp-ts/lib/Either.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.js'

/**
 * The vitest suite; `open` opens an empty store for each test.
 *
 * @since 1.0.0 @category Contract suites
 * @example
 * storeContract('mine', async () => makeMemoryStore({ isRelayed: false }))
 */
export const storeContract = (name: string, open: () => Promise<Store>): void => {
  describe(`Store: ${name}`, () => {
    const opened: Store[] = []
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })
    const fresh = async (): Promise<Store> => {
      const store = await open()
      opened.push(store)
      return store
    }

    it('answers a ping', async () => {
      expect(await (await fresh()).ping()).toStrictEqual(E.right(undefined))
    })
  })
}
