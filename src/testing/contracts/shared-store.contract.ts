// The contract of a store that outlives its process, and that several processes may share.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Pet } from '../../domain/pets/pet.js'
import type { Notice, Notify } from '../../ports/notice.js'
import type { Store } from '../../ports/store.js'
import { succeed } from '../outcome.js'
import { anyApiKey } from './api-key-samples.js'
import { eventOf, everything, held, numbered, range, record } from './pet-samples.js'

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
        let closed: Promise<void> | undefined
        const close = (): Promise<void> => (closed ??= store.close())
        onTestFinished(close)
        await succeed(store.ping)
        return { ...store, close, warnings: () => notices.filter(({ level }) => level === 'warn') }
      }
    }
    /** Adds a pet as a client would, with the next id. */
    const create = async ({ ids, pets }: Store, idempotencyKey?: ReturnType<typeof held>): Promise<Pet> => {
      const pet = numbered(await succeed(ids.next))
      expect(await succeed(pets.add(record(pet, idempotencyKey)))).toStrictEqual({ _tag: 'Added' })
      return pet
    }
    const KEY = { lineage: 'a', key: 'k' }
    const REVOKED = { ...anyApiKey, revokedAt: O.some(7_000) }
    const waiting = async ({ outbox }: Pick<Store, 'outbox'>): Promise<readonly number[]> => {
      const claimed = await succeed(outbox.claim({ now: 5_000, leaseUntil: 5_000, maxDueAt: 9_000, limit: 100 }))
      return claimed.map(({ event }) => Number(event.pet.id))
    }

    it('hold everything that was answered when they are opened again', async () => {
      const open = await fresh()
      const before = await open(true)
      const [first, second] = [await create(before, held('a', 'k')), await create(before)]
      await succeed(before.apiKeys.add(anyApiKey))
      await succeed(before.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      await waiting(before)
      await succeed(before.outbox.settle([{ _tag: 'Sent', event: eventOf(first) }]))
      await before.close()

      const { pets, apiKeys, ids, ...after } = await open(true)
      expect((await succeed(pets.findPage(everything))).pets).toStrictEqual([second, first])
      expect(await succeed(pets.findByIdempotencyKey(KEY, 1_000))).toStrictEqual(O.some(first))
      expect(await succeed(apiKeys.list)).toStrictEqual([REVOKED])
      expect(await waiting(after)).toStrictEqual([Number(second.id)])
      expect(await succeed(after.outbox.backlog)).toMatchObject({ size: 1, hasSent: true })
      expect((await succeed(ids.next)) > second.id).toBe(true)
    })

    it('show one another at once what was answered', async () => {
      const open = await fresh()
      const [one, other] = [await open(false), await open(false)]
      const pet = await create(one, held('a', 'k'))
      expect(await succeed(other.pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect((await succeed(other.pets.findPage(everything))).pets).toStrictEqual([pet])
      expect(await succeed(other.pets.findByIdempotencyKey(KEY, 1_000))).toStrictEqual(O.some(pet))
      expect(await succeed(other.pets.add(record(numbered(9), held('a', 'k'))))).toMatchObject({ _tag: 'KeyTaken' })
      expect(await succeed(other.pets.add(record(numbered(pet.id))))).toStrictEqual({ _tag: 'IdTaken' })
      await succeed(one.apiKeys.add(anyApiKey))
      await succeed(other.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      expect(await succeed(one.apiKeys.find(REVOKED.id))).toStrictEqual(O.some(REVOKED))
    })

    it('have one first key, whichever of them adds it', async () => {
      const open = await fresh()
      const stores = [await open(false), await open(false), await open(false)]
      const added = await Promise.all(
        stores.map(({ apiKeys }, at) => succeed(apiKeys.addFirst({ ...anyApiKey, id: `${at}`.repeat(11) }))),
      )
      expect(added.filter((isAdded) => isAdded)).toHaveLength(1)
      for (const { apiKeys } of stores) expect(await succeed(apiKeys.list)).toHaveLength(1)
    })

    it('draw different ids at once, and greater ones later', async () => {
      const open = await fresh()
      const [one, other] = [await open(false), await open(false)]
      const drawn = await Promise.all(range(1, 20).flatMap(() => [succeed(one.ids.next), succeed(other.ids.next)]))
      expect(new Set(drawn).size).toBe(40)
      const later = [await create(one), await create(other), await create(one)].map(({ id }) => id)
      expect(later.every((id, at) => [...drawn, ...later.slice(0, at)].every((earlier) => earlier < id))).toBe(true)
    })

    it('draw ids above the stored pets if there is no counter', async () => {
      const open = await fresh()
      const before = await open(false)
      await succeed(before.pets.add(record(numbered(50))))
      await before.close()
      expect((await succeed((await open(false)).ids.next)) > 50n).toBe(true)
    })

    it('draw ids above the stored pets if the counter was behind them when the store was opened', async () => {
      const open = await fresh()
      const before = await open(false)
      for (const _ of range(1, 5)) await create(before)
      // as after a restore: the next ids of the counter are free, and greater ones are in use
      for (const id of [7, 8, 30]) await succeed(before.pets.add(record(numbered(id))))
      await before.close()
      const [one, other] = [await open(false), await open(false)]
      expect((await succeed(one.ids.next)) > 30n).toBe(true)
      expect((await succeed(other.ids.next)) > 31n).toBe(true)
    })

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
      const later = [await create(writer), await create(relaying), await create(writer)]
      expect(await waiting(relaying)).toStrictEqual(later.map(({ id }) => Number(id)))
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
      const { id } = await create(await open(false))
      const { outbox } = await open(true)
      expect(await waiting({ outbox })).toStrictEqual([])
      expect(await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: 0, to: 5_000 }))).toBe(1)
      expect(await waiting({ outbox })).toStrictEqual([Number(id)])
      expect(await succeed(outbox.backlog)).toMatchObject({ size: 1, oldest: O.some(1_000), parked: 0 })
    })
  })
}
