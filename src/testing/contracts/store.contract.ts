// The contract of a store as a whole, beside the contracts of its ports.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../ports/store.js'
import { succeed } from '../outcome.js'
import { anyApiKey } from './api-key-samples.js'
import { numbered, range, record } from './pet-samples.js'

/**
 * The vitest suite; `open` opens an empty store for each test.
 *
 * @example
 * storeContract('mine', async () => makeMemoryStore())
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

    it('has ports that work on one storage', async () => {
      const { ids, pets, apiKeys, log } = await fresh()
      const pet = numbered(await succeed(ids.next))
      await succeed(pets.add(record(pet)))
      expect(await succeed(pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect((await succeed(log.read({ after: 0, limit: 2 }))).events).toMatchObject([{ pet }])
      await succeed(apiKeys.add(anyApiKey))
      expect(await succeed(apiKeys.list)).toStrictEqual([anyApiKey])
    })

    it('completes or refuses what is in progress when it is closed', async () => {
      const { pets, ids, close } = await open()
      const adding = range(1, 20).map((id) => pets.add(record(numbered(id)))())
      const drawing = range(1, 20).map(() => ids.next())
      await close()
      for (const added of await Promise.all(adding)) {
        expect(added).toMatchObject(E.isRight(added) ? E.right({ _tag: 'Added' }) : E.left({ _tag: 'Unavailable' }))
      }
      for (const id of await Promise.all(drawing)) {
        if (E.isLeft(id)) expect(id.left).toMatchObject({ _tag: 'Unavailable' })
      }
    })
  })
}
