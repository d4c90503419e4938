// The contracts of a store as a whole, in addition to those of its ports: alone, and shared by several processes.
import { setTimeout } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unusedAfter } from '../../domain/events/relay-record.js'
import type { EventLog } from '../../ports/event-log.js'
import type { ServedStore } from '../../ports/store.js'
import { anyApiKey, apiKeyOf, everything, held, NOW, numbered, range, record, succeed } from '../samples.js'
import { addUnder, create, createMany } from './event-log-samples.js'

/** How long a call may take after a close. */
const HUNG_MS = 10_000

/** Names the call that hangs, which the time limit of a test would not do. */
const ended = <A>(name: string, call: Promise<A>): Promise<A> => {
  const hangs = new Error(`${name} did not return within ${HUNG_MS} ms of the close`)
  const late = setTimeout(HUNG_MS, undefined, { ref: false }).then(() => Promise.reject<A>(hangs))
  return Promise.race([call, late])
}

const eventsOf = async (log: EventLog) => (await succeed(log.read({ after: 0, limit: 3 }))).events

/** Opens a harness and closes it when the test ends. */
export const opened = async <H extends { readonly close: () => Promise<void> }>(make: () => Promise<H>): Promise<H> => {
  const harness = await make()
  onTestFinished(() => harness.close())
  return harness
}

/** The vitest suite; `open` opens an empty store for each test. */
export const storeContract = (name: string, open: () => Promise<ServedStore>): void => {
  describe(`Store: ${name}`, () => {
    it('responds to a ping, and has ports that work on one storage', async () => {
      const store = await opened(open)
      expect(await store.ping()).toStrictEqual(E.right(undefined))
      const created = await create(store)
      expect(await succeed(store.pets.findById(created.pet.id))).toStrictEqual(O.some(created.pet))
      if (store.log !== undefined) expect(await eventsOf(store.log)).toStrictEqual([created])
      await succeed(store.apiKeys.add(anyApiKey))
      expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
    })

    it('proposes ids above those of its pets, even of one that got a higher id than was proposed [ids]', async () => {
      const store = await opened(open)
      const { pet } = await addUnder(store, (await create(store)).pet.id)
      expect((await succeed(store.ids.next)) > pet.id).toBe(true)
      // nor below one that was proposed before
      const [low, high] = [await succeed(store.ids.next), await succeed(store.ids.next)]
      await addUnder(store, low)
      expect((await succeed(store.ids.next)) > high).toBe(true)
    })

    it('completes or refuses what is in progress when it is closed', { timeout: 3 * HUNG_MS }, async () => {
      const { pets, ids, apiKeys, close } = await open()
      await succeed(apiKeys.add(anyApiKey))
      const used = { lastUsedAt: O.some(6_500) }
      const calls: readonly (readonly [name: string, call: Promise<E.Either<unknown, unknown>>, done: unknown])[] = [
        ...range(1, 20).map((id) => ['pets.add', pets.add(record(numbered(id)))(), { _tag: 'Added' }] as const),
        ...range(1, 20).map(() => ['ids.next', ids.next(), expect.any(BigInt) as unknown] as const),
        ['apiKeys.change', apiKeys.change(anyApiKey.id, used)(), O.some(used)],
      ]
      await ended('close', close())
      for (const [name, call, done] of calls) {
        const result = await ended(name, call)
        expect(result).toMatchObject(E.isRight(result) ? E.right(done) : E.left({ _tag: 'Unavailable' }))
      }
    })
  })
}

/** A storage, empty at first, on which any number of stores can be opened. */
export interface SharedStoreHarness {
  readonly open: () => Promise<ServedStore>
  /** Removes the storage. All its stores are closed by then. */
  readonly close: () => Promise<void>
}

const KEY = { lineage: 'a', key: 'k' }
const REVOKED = { ...anyApiKey, revokedAt: O.some(7_000) }

/** The vitest suite, for stores that outlive a process; `make` creates an empty storage for each test. */
export const sharedStoreContract = (name: string, make: () => Promise<SharedStoreHarness>): void => {
  describe(`several stores in one place: ${name}`, () => {
    const fresh = async () => {
      const place = await opened(make)
      const open = async () => {
        const store = await opened(place.open)
        await succeed(store.ping)
        return store
      }
      return { open, openOnce: place.open }
    }

    it('hold everything that was acknowledged when they are opened again', async () => {
      const { open, openOnce } = await fresh()
      const before = await openOnce()
      const [first, second] = [await create(before, held('a', 'k')), await create(before)]
      await succeed(before.apiKeys.add(anyApiKey))
      await succeed(before.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      const relayed = { ...unusedAfter(0), hasSent: true, version: 1 }
      if (before.relay !== undefined) await succeed(before.relay.save(relayed))
      const head = before.log && (await succeed(before.log.head))
      await before.close()

      const { pets, apiKeys, ids, log, relay } = await open()
      expect((await succeed(pets.findPage(everything))).pets).toStrictEqual([second.pet, first.pet])
      expect(await succeed(pets.findByIdempotencyKey(KEY, NOW))).toStrictEqual(O.some(first.pet))
      expect(await succeed(apiKeys.list)).toStrictEqual([REVOKED])
      if (log !== undefined) {
        expect(await succeed(log.head)).toStrictEqual(head)
        expect(await eventsOf(log)).toStrictEqual([first, second])
      }
      if (relay !== undefined) expect(await succeed(relay.load)).toStrictEqual(O.some(relayed))
      expect((await succeed(ids.next)) > second.pet.id).toBe(true)
    })

    it('show one another at once what was acknowledged [processes]', async () => {
      const { open } = await fresh()
      const [one, other] = [await open(), await open()]
      const { pet } = await create(one, held('a', 'k'))
      expect(await succeed(other.pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect((await succeed(other.pets.findPage(everything))).pets).toStrictEqual([pet])
      expect(await succeed(other.pets.findByIdempotencyKey(KEY, NOW))).toStrictEqual(O.some(pet))
      expect(await succeed(other.pets.add(record(numbered(9), held('a', 'k'))))).toMatchObject({ _tag: 'KeyTaken' })
      expect(await succeed(other.pets.add(record(numbered(pet.id))))).not.toMatchObject({ id: pet.id })
      await succeed(one.apiKeys.add(anyApiKey))
      await succeed(other.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      expect(await succeed(one.apiKeys.find(REVOKED.id))).toStrictEqual(O.some(REVOKED))
    })

    it('decide one after the other on what reaches them at once', async () => {
      const { open } = await fresh()
      const [one, other] = [await open(), await open()]
      const retries = range(1, 20).map((id) => record(numbered(id), held('a', 'k')))
      await Promise.all(retries.map((retry, at) => succeed((at % 2 === 0 ? one : other).pets.add(retry))))
      expect(await succeed(one.pets.count(everything))).toBe(1)
      await succeed(one.apiKeys.add(anyApiKey))
      const used = { lastUsedAt: O.some(6_500) }
      const changes = [
        one.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }),
        other.apiKeys.change(REVOKED.id, used),
      ]
      await Promise.all(changes.map(succeed))
      expect(await succeed(one.apiKeys.find(REVOKED.id))).toStrictEqual(O.some({ ...REVOKED, ...used }))
    })

    it('have one first key, whichever of them adds it', async () => {
      const { open } = await fresh()
      const stores = [await open(), await open(), await open()]
      const adding = stores.map(async ({ apiKeys }, at) => {
        const key = apiKeyOf(`${at}`)
        return (await succeed(apiKeys.addFirst(key))) ? [key] : []
      })
      const first = (await Promise.all(adding)).flat()
      expect(first).toHaveLength(1)
      for (const { apiKeys } of stores) expect(await succeed(apiKeys.list)).toStrictEqual(first)
    })

    it('give different ids to pets that they add at once, and greater ones later', async () => {
      const { open } = await fresh()
      const stores = [await open(), await open()]
      const early = await Promise.all(range(1, 20).flatMap(() => stores.map((store) => create(store))))
      const ids = early.map(({ pet }) => pet.id)
      expect(new Set(ids).size).toBe(40)
      for (const at of [0, 1, 0]) {
        const { pet } = await create(stores[at] as ServedStore)
        expect(ids.every((earlier) => earlier < pet.id)).toBe(true)
        ids.push(pet.id)
      }
    })

    // the latter happens after a restore: the next ids of the counter are free, but greater ones are in use
    it.each([
      ['there is no counter', 0, [50]],
      ['the counter was behind them when the store was opened', 5, [7, 8, 30]],
    ])('draw ids above the stored pets if %s', async (_, created, stored) => {
      const { open, openOnce } = await fresh()
      const before = await openOnce()
      await createMany(before, created)
      for (const id of stored) await succeed(before.pets.add(record(numbered(id))))
      await before.close()
      const stores = [await open(), await open()]
      for (const { ids } of stores) expect((await succeed(ids.next)) > Math.max(...stored)).toBe(true)
    })
  })
}
