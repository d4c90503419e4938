// The contract of a store that several processes share: whether events are queued depends on the store, not on the writer.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Notice, Notify } from '../../ports/notice.js'
import type { Store } from '../../ports/store.js'
import { succeed } from '../outcome.js'
import { numbered, record } from './pet-samples.js'

/** A storage, empty at first, on which any number of stores can be opened. @since 1.0.0 @category Contract suites */
export interface SharedStoreHarness {
  readonly open: (settings: { readonly isRelayed: boolean; readonly notify: Notify }) => Promise<Store>
  /** Removes the storage. All its stores are closed by then. */
  readonly close: () => Promise<void>
}

/**
 * The vitest suite, for stores that outlive a process; `make` creates an empty storage for each test.
 *
 * @since 1.0.0 @category Contract suites
 * @example
 * let places = 0
 * sharedStoreContract('mine', async () => {
 *   places += 1
 *   const folder = { directory: `./place-${places}`, checksDataFile: true, reportDamage: console.error }
 *   return { open: (settings) => succeed(openLmdbStore({ ...folder, ...settings })), close: async () => {} }
 * })
 */
export const sharedStoreContract = (name: string, make: () => Promise<SharedStoreHarness>): void => {
  describe(`several stores in one place: ${name}`, () => {
    const fresh = async () => {
      const place = await make()
      onTestFinished(() => place.close())
      return async (isRelayed: boolean) => {
        const notices: Notice[] = []
        const store = await place.open({ isRelayed, notify: (notice) => notices.push(notice) })
        onTestFinished(() => store.close())
        await succeed(store.ping)
        return { ...store, warnings: () => notices.filter(({ level }) => level === 'warn') }
      }
    }
    /** Adds a pet as a client would, with the next id. */
    const create = async ({ ids, pets }: Store): Promise<void> => {
      await succeed(pets.add(record(numbered(await succeed(ids.next)))))
    }
    const waiting = async ({ outbox }: Store): Promise<readonly number[]> => {
      const claimed = await succeed(outbox.claim({ now: 5_000, leaseUntil: 5_000, maxDueAt: 9_000, limit: 100 }))
      return claimed.map(({ event }) => Number(event.pet.id))
    }

    it('queue no events while none of them relays', async () => {
      const open = await fresh()
      const [one, other] = [await open(false), await open(false)]
      await create(one)
      await create(other)
      expect(await waiting(one)).toStrictEqual([])
      expect([...one.warnings(), ...other.warnings()]).toStrictEqual([])
    })

    it('queue the events of every writer from the first relay on, and each writer reports it once', async () => {
      const open = await fresh()
      const writer = await open(false)
      await create(writer)
      const relaying = await open(true)
      for (const store of [writer, relaying, writer]) await create(store)
      expect(await waiting(relaying)).toStrictEqual([2, 3, 4])
      expect(writer.warnings()).toMatchObject([{ level: 'warn', message: expect.stringMatching(/events wait/) }])
      expect(relaying.warnings()).toStrictEqual([])
    })

    it('keep queuing after the relay is closed, whichever store drew the id', async () => {
      const open = await fresh()
      await (await open(true)).close()
      const first = await open(false)
      await succeed(first.pets.add(record(numbered(7))))
      const second = await open(false)
      await create(second)
      expect(await waiting(second)).toHaveLength(2)
    })

    it('replay events that were added before the first relay', async () => {
      const open = await fresh()
      await create(await open(false))
      const { outbox, ...relaying } = await open(true)
      expect(await waiting({ ...relaying, outbox })).toStrictEqual([])
      expect(await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: 0, to: 5_000 }))).toBe(1)
      expect(await waiting({ ...relaying, outbox })).toStrictEqual([1])
      expect(await succeed(outbox.backlog)).toMatchObject({ size: 1, oldest: O.some(1_000), parked: 0 })
    })
  })
}
