// The contract of a store as a whole, beside the contracts of its ports: alone, and shared by several processes.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unusedAfter } from '../../domain/events/relay-record.js'
import type { Pet } from '../../domain/pets/pet.js'
import type { ServedStore } from '../../ports/store.js'
import { added, anyApiKey, everything, held, numbered, range, record, succeed } from '../samples.js'

interface Closable {
  readonly close: () => Promise<void>
}

/** What `make` opens, until the test ends. */
export const opened = async <H extends Closable>(make: () => Promise<H>): Promise<H> => {
  const harness = await make()
  onTestFinished(() => harness.close())
  return harness
}

/** Adds a pet as a client would, with the next id. */
const create = async ({ ids, pets }: ServedStore, idempotencyKey?: ReturnType<typeof held>): Promise<Pet> => {
  const proposed = numbered(await succeed(ids.next))
  const result = await succeed(pets.add(record(proposed, idempotencyKey)))
  if (result._tag !== 'Added') throw new Error(`expected the pet ${proposed.id} to be added`)
  return { ...proposed, id: result.id }
}

/** How long a call may take after a close. */
const HUNG_MS = 10_000

/** Names the call that hangs: the time limit of a test does not say which one it is. */
const ended = async <A>(name: string, call: Promise<A>): Promise<A> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not return within ${HUNG_MS} ms of the close`)), HUNG_MS)
  })
  return Promise.race([call, late]).finally(() => clearTimeout(timer))
}

/** The vitest suite; `open` opens an empty store for each test. */
export const storeContract = (name: string, open: () => Promise<ServedStore>): void => {
  describe(`Store: ${name}`, () => {
    it('responds to a ping', async () => {
      expect(await (await opened(open)).ping()).toStrictEqual(E.right(undefined))
    })

    it('has ports that work on one storage', async () => {
      const store = await opened(open)
      const pet = await create(store)
      expect(await succeed(store.pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect((await succeed(store.log.read({ after: 0, limit: 2 }))).events).toMatchObject([{ pet }])
      await succeed(store.apiKeys.add(anyApiKey))
      expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
    })

    it('completes or refuses what is in progress when it is closed', { timeout: 3 * HUNG_MS }, async () => {
      const { pets, ids, apiKeys, close } = await open()
      await succeed(apiKeys.add(anyApiKey))
      const adding = range(1, 20).map((id) => pets.add(record(numbered(id)))())
      const drawing = range(1, 20).map(() => ids.next())
      const changing = apiKeys.change(anyApiKey.id, { lastUsedAt: O.some(6_500) })()
      await ended('close', close())
      for (const result of await Promise.all(adding.map((call) => ended('pets.add', call)))) {
        expect(result).toMatchObject(E.isRight(result) ? E.right({ _tag: 'Added' }) : E.left({ _tag: 'Unavailable' }))
      }
      for (const id of await Promise.all(drawing.map((call) => ended('ids.next', call)))) {
        if (E.isLeft(id)) expect(id.left).toMatchObject({ _tag: 'Unavailable' })
      }
      const changed = await ended('apiKeys.change', changing)
      expect(changed).toMatchObject(
        E.isRight(changed) ? E.right(O.some({ lastUsedAt: O.some(6_500) })) : E.left({ _tag: 'Unavailable' }),
      )
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
      return async () => {
        const store = await opened(async () => {
          const { close, ...ports } = await place.open()
          let closed: Promise<void> | undefined
          return { ...ports, close: (): Promise<void> => (closed ??= close()) }
        })
        await succeed(store.ping)
        return store
      }
    }

    it('hold everything that was acknowledged when they are opened again', async () => {
      const open = await fresh()
      const before = await open()
      const [first, second] = [await create(before, held('a', 'k')), await create(before)]
      await succeed(before.apiKeys.add(anyApiKey))
      await succeed(before.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      const relayed = { ...unusedAfter(0), hasSent: true, version: 1 }
      if (before.relay !== undefined) await succeed(before.relay.save(relayed))
      const { logId } = await succeed(before.log.head)
      await before.close()

      const { pets, apiKeys, ids, log, relay } = await open()
      expect((await succeed(pets.findPage(everything))).pets).toStrictEqual([second, first])
      expect(await succeed(pets.findByIdempotencyKey(KEY, 1_000))).toStrictEqual(O.some(first))
      expect(await succeed(apiKeys.list)).toStrictEqual([REVOKED])
      expect((await succeed(log.head)).logId).toBe(logId)
      expect((await succeed(log.read({ after: 0, limit: 3 }))).events).toMatchObject([{ pet: first }, { pet: second }])
      if (relay !== undefined) expect(await succeed(relay.load)).toStrictEqual(O.some(relayed))
      expect((await succeed(ids.next)) > second.id).toBe(true)
    })

    it('show one another at once what was acknowledged [processes]', async () => {
      const open = await fresh()
      const [one, other] = [await open(), await open()]
      const pet = await create(one, held('a', 'k'))
      expect(await succeed(other.pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect((await succeed(other.pets.findPage(everything))).pets).toStrictEqual([pet])
      expect(await succeed(other.pets.findByIdempotencyKey(KEY, 1_000))).toStrictEqual(O.some(pet))
      expect(await succeed(other.pets.add(record(numbered(9), held('a', 'k'))))).toMatchObject({ _tag: 'KeyTaken' })
      expect(await succeed(other.pets.add(record(numbered(pet.id))))).not.toStrictEqual(added(pet.id))
      await succeed(one.apiKeys.add(anyApiKey))
      await succeed(other.apiKeys.change(REVOKED.id, { revokedAt: REVOKED.revokedAt }))
      expect(await succeed(one.apiKeys.find(REVOKED.id))).toStrictEqual(O.some(REVOKED))
    })

    it('have one first key, whichever of them adds it', async () => {
      const open = await fresh()
      const stores = [await open(), await open(), await open()]
      const results = await Promise.all(
        stores.map(({ apiKeys }, at) => succeed(apiKeys.addFirst({ ...anyApiKey, id: `${at}`.repeat(11) }))),
      )
      expect(results.filter((isAdded) => isAdded)).toHaveLength(1)
      for (const { apiKeys } of stores) expect(await succeed(apiKeys.list)).toHaveLength(1)
    })

    it('give different ids to pets that they add at once, and greater ones later', async () => {
      const open = await fresh()
      const stores = [await open(), await open()]
      const early = await Promise.all(range(1, 20).flatMap(() => stores.map((store) => create(store))))
      expect(new Set(early.map(({ id }) => id)).size).toBe(40)
      const ids = early.map(({ id }) => id)
      for (const at of [0, 1, 0]) {
        const { id } = await create(stores[at] as ServedStore)
        expect(ids.every((earlier) => earlier < id)).toBe(true)
        ids.push(id)
      }
    })

    it('draw ids above the stored pets if there is no counter', async () => {
      const open = await fresh()
      const before = await open()
      await succeed(before.pets.add(record(numbered(50))))
      await before.close()
      expect((await succeed((await open()).ids.next)) > 50n).toBe(true)
    })

    it('draw ids above the stored pets if the counter was behind them when the store was opened', async () => {
      const open = await fresh()
      const before = await open()
      for (const _ of range(1, 5)) await create(before)
      // as after a restore: the next ids of the counter are free, and greater ones are in use
      for (const id of [7, 8, 30]) await succeed(before.pets.add(record(numbered(id))))
      await before.close()
      const [one, other] = [await open(), await open()]
      expect((await succeed(one.ids.next)) > 30n).toBe(true)
      expect((await succeed(other.ids.next)) > 30n).toBe(true)
    })
  })
}
