// The contract of a pet repository: pets by their ids and by idempotency keys; pages and counts have a file of their own.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import { MAX_PET_ID, type Pet } from '../../domain/pets/pet.js'
import { MAX_LIMIT } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { Store } from '../../ports/store.js'
import { pet } from '../arbitraries.js'
import {
  addAll,
  added,
  anyPet,
  everything,
  fullPet,
  held,
  idsOf,
  numbered,
  range,
  record,
  succeed,
} from '../samples.js'
import { petPagesContract } from './pet-pages.contract.js'
import { opened } from './store.contract.js'

const EXTREMES: readonly Pet[] = [
  numbered(1),
  numbered(2, { ...anyPet, status: 'sold' }),
  numbered(3, { name: 'x', categoryId: MIN_INT64 }),
  numbered(4, { name: 'x', categoryId: 0n }),
  numbered(5, { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 1n }),
  numbered(6, { name: '\u{1f436}'.repeat(256), categoryId: 1n }),
  numbered(MAX_PET_ID, { name: 'x', categoryId: MAX_INT64 }),
]

/** No pet can have these ids. */
const ABSENT = [0n, -1n, MIN_INT64, MAX_INT64, MAX_PET_ID + 1n, 2n ** 53n + 1n]

const DAY_MS = 86_400_000

/** The pet under a key at a time. */
const find = (pets: PetRepository, lineage: string, key: string, at = 1_000) =>
  succeed(pets.findByIdempotencyKey({ lineage, key }, at))

/** The vitest suite; `make` opens an empty repository for each test. */
export const petRepositoryContract = (name: string, make: () => Promise<Pick<Store, 'pets' | 'close'>>): void => {
  describe(`PetRepository: ${name}`, () => {
    const holding = async (...held: readonly Pet[]): Promise<PetRepository> => addAll((await opened(make)).pets, held)

    describe('add and findById', () => {
      it('returns any pet exactly as it was added', async () => {
        const several = fc.uniqueArray(pet(), { selector: ({ id }) => id, minLength: 1, maxLength: 20 })
        const check = async (some: readonly Pet[]): Promise<void> => {
          const pets = await holding(...some)
          const found = await Promise.all(
            [...ABSENT, ...some.map(({ id }) => id)].map((id) => succeed(pets.findById(id))),
          )
          expect(found).toStrictEqual([...ABSENT.map(() => O.none), ...some.map(O.some)])
          const page = await succeed(pets.findPage({ ...everything, limit: MAX_LIMIT }))
          expect(page.pets).toStrictEqual(some.toSorted((one, other) => (one.id < other.id ? 1 : -1)))
        }
        await fc.assert(fc.asyncProperty(several, check), { numRuns: 6, examples: [[[...EXTREMES]]] })
      })

      it('adds many pets at once, each under an id of its own, and keeps the first pet of an id', async () => {
        const pets = await holding(numbered(1, fullPet))
        const names = range(1, 50).map((id) => `pet ${id}`)
        const adding = names.map((name, at) => succeed(pets.add(record(numbered(at + 1, { ...anyPet, name })))))
        const results = await Promise.all(adding)
        const ids = results.map((result, at) => (result._tag === 'Added' && result.id > at ? result.id : 0n))
        expect(new Set([0n, 1n, ...ids]).size).toBe(52)
        const found = await Promise.all([1n, ...ids].map((id) => succeed(pets.findById(id))))
        expect(found.map((one) => O.isSome(one) && one.value.name)).toStrictEqual([fullPet.name, ...names])
        expect(await succeed(pets.count(everything))).toBe(51)
      })

      it('adds every pet beside one that it may be unable to add', async () => {
        const pets = await holding()
        const keys = range(1, 20).map((id) => (id === 10 ? 'k'.repeat(3_000) : `k${id}`))
        const records = keys.map((key, at) => record(numbered(at + 1), held('a', key)))
        const results = await Promise.all(records.map((one) => pets.add(one)()))
        for (const [at, result] of results.entries()) {
          const isAdded = at !== 9 || E.isRight(result)
          expect(result).toMatchObject(isAdded ? E.right({ _tag: 'Added' }) : E.left({ _tag: 'Unavailable' }))
        }
        // a store with several connections may add them in any order, and then gives some of them higher ids
        const ids = results.flatMap((one, at) =>
          E.isRight(one) && one.right._tag === 'Added' && one.right.id > at ? [Number(one.right.id)] : [],
        )
        expect(await idsOf(pets, { limit: 100 })).toStrictEqual(ids.sort((one, other) => other - one))
      })
    })

    describe('idempotency keys', () => {
      it('is held by a pet under the id that it got, if its own was taken', async () => {
        const pets = await holding(numbered(1))
        const result = await succeed(pets.add(record(numbered(1, fullPet), held('a', 'k'))))
        const id = result._tag === 'Added' ? result.id : 0n
        expect(id > 1n).toBe(true)
        expect(await find(pets, 'a', 'k')).toStrictEqual(O.some(numbered(id, fullPet)))
        const again = record(numbered(1), held('a', 'k'))
        expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'KeyTaken', by: numbered(id, fullPet) })
      })

      it('distinguishes keys of different callers, and different keys of one caller', async () => {
        const pets = await holding(numbered(1))
        const keys = ['a/k', 'b/k', 'a/K', 'a/k ', 'a k/', 'a/bc', 'ab/c'].map((text) => text.split('/'))
        for (const [at, [lineage = '', key = '']] of keys.entries()) {
          expect(await find(pets, lineage, key)).toStrictEqual(O.none)
          expect(await succeed(pets.add(record(numbered(at + 2), held(lineage, key))))).toStrictEqual(added(at + 2))
        }
        expect(await succeed(pets.add(record(numbered(9))))).toStrictEqual(added(9))
        for (const [at, [lineage = '', key = '']] of keys.entries()) {
          expect(await find(pets, lineage, key)).toStrictEqual(O.some(numbered(at + 2)))
        }
        const others = ['c/k', '/k', 'a/', 'abc/', '/abc'].map((text) => text.split('/'))
        for (const [lineage = '', key = ''] of others) expect(await find(pets, lineage, key)).toStrictEqual(O.none)
      })

      it('returns the first pet for a key until it expires, not longer, and adds nothing', async () => {
        const pets = await holding()
        const add = (id: number, at: number, expiresAt: number) =>
          succeed(pets.add(record(numbered(id, fullPet), held('a', 'k', expiresAt), at)))
        await add(1, 1_000, 2_000)
        expect(await add(2, 1_999, 3_000)).toStrictEqual({ _tag: 'KeyTaken', by: numbered(1, fullPet) })
        expect(await find(pets, 'a', 'k', 1_999)).toStrictEqual(O.some(numbered(1, fullPet)))
        expect(await find(pets, 'a', 'k', 2_000)).toStrictEqual(O.none)
        expect(await add(3, 2_000, 3_000)).toStrictEqual(added(3))
        expect(await add(4, 2_500, 4_000)).toStrictEqual({ _tag: 'KeyTaken', by: numbered(3, fullPet) })
        expect(await find(pets, 'a', 'k', 2_999)).toStrictEqual(O.some(numbered(3, fullPet)))
        expect(await find(pets, 'a', 'k', 3_000)).toStrictEqual(O.none)
        expect(await idsOf(pets, {})).toStrictEqual([3, 1])
      })

      it('remembers an expired key for a day, so that no jump of the clock ahead and back loses it', async () => {
        const pets = await holding()
        await succeed(pets.add(record(numbered(1), held('a', 'k', 1_000 + DAY_MS), 1_000)))
        const ahead = 1_000 + 1.25 * DAY_MS
        for (const id of range(2, 9)) {
          await succeed(pets.add(record(numbered(id), held('a', `ahead ${id}`, ahead + DAY_MS), ahead)))
        }
        expect(await find(pets, 'a', 'k', ahead)).toStrictEqual(O.none)
        expect(await find(pets, 'a', 'k', 2_000)).toStrictEqual(O.some(numbered(1)))
        const again = record(numbered(10), held('a', 'k', 2_000 + DAY_MS), 2_000)
        expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'KeyTaken', by: numbered(1) })
      })

      it('finds the right pet for each of many concurrent callers of one key or another', async () => {
        const pets = await holding()
        await succeed(pets.add(record(numbered(1), held('a', 'k', 2_000), 1_000)))
        await succeed(pets.add(record(numbered(2), held('a', 'k', 4_000), 2_000)))
        await succeed(pets.add(record(numbered(3), held('b', 'k', 3_000), 2_000)))
        const calls = ['a 3500', 'b 3500', 'b 2500', 'c 2500', 'a 4000'].map((call) => call.split(' '))
        const found = await Promise.all(calls.map(([caller = '', at]) => find(pets, caller, 'k', Number(at))))
        expect(found).toStrictEqual([O.some(numbered(2)), O.none, O.some(numbered(3)), O.none, O.none])
      })

      it('adds one pet when many retries race [retries]', async () => {
        const pets = await holding()
        const records = range(1, 20).map((id) => record(numbered(id), held('a', 'k')))
        const results = await Promise.all(records.map((one) => succeed(pets.add(one))))
        const [winner = 0] = await idsOf(pets, {})
        const other = { _tag: 'KeyTaken', by: numbered(winner) }
        const expected = range(1, 20).map((id) => (id === winner ? added(id) : other))
        expect(results).toStrictEqual(expected)
        expect(await succeed(pets.count(everything))).toBe(1)
      })
    })

    petPagesContract(holding)
  })
}
