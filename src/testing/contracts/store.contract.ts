// The contract of a store as a whole, beside the contracts of its ports.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
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
    const fresh = async (): Promise<Store> => {
      const store = await open()
      onTestFinished(() => store.close())
      return store
    }

    it('answers a ping', async () => {
      expect(await (await fresh()).ping()).toStrictEqual(E.right(undefined))
    })
  })
}
