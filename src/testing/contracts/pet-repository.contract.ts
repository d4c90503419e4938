// The contract of a pet repository, without pages and counts (see pet-pages.contract.ts).
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import { heldAt } from '../../domain/pets/decide-add.js'
import { MAX_PET_ID, type Pet } from '../../domain/pets/pet.js'
import { MAX_LIMIT } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { Store } from '../../ports/store.js'
import { pet } from '../arbitraries.js'
import { addAll, added, everything, fullPet, held, idsOf, NOW, numbered, range, record, succeed } from '../samples.js'
import { petPagesContract } from './pet-pages.contract.js'
import { opened } from './store.contract.js'

const EXTREMES: readonly Pet[] = [
  numbered(1),
  numbered(2, { name: 'x', categoryId: 1n, status: 'sold' }),
  numbered(3, { name: 'x', categoryId: MIN_INT64 }),
  numbered(4, { name: 'x', categoryId: 0n }),
  numbered(5, { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 1n }),
  numbered(6, { name: '\u{1f436}'.repeat(256), categoryId: 1n }),
  numbered(MAX_PET_ID, { name: 'x', categoryId: MAX_INT64 }),
]

/** No pet can have these ids. */
const ABSENT = [0n, -1n, MIN_INT64, MAX_INT64, MAX_PET_ID + 1n, 2n ** 53n + 1n]

const DAY_MS = 86_400_000

/** All but the last character of the longest key. */
const LONG = 'k'.repeat(254)

/** Idempotency keys that are easily confused, each after the caller's lineage. */
const KEYS = [`a/${LONG}1`, `a/${LONG}2`, 'a/k', 'b/k', 'a/K', 'a/k ', 'a k/', 'a/bc', 'ab/c', 'abc/', '/k', '/abc']

const KEY_CALLS = fc.array(
  // the last three keys are never held
  fc.tuple(fc.constantFrom(...KEYS.slice(0, -3)), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })),
  { minLength: 40, maxLength: 60 },
)

/** The pet under a key at a time. */
const find = (pets: PetRepository, text: string, at = NOW) => {
  const [lineage = '', key = ''] = text.split('/')
  return succeed(pets.findByIdempotencyKey({ lineage, key }, at))
}

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

      it('answers each question anew once a pet was added', async () => {
        const pets = await holding()
        const answers = async () => [
          ...[await succeed(pets.findById(1n)), await find(pets, 'a/k')],
          ...[(await succeed(pets.findPage(everything))).pets, await succeed(pets.count(everything))],
        ]
        expect(await answers()).toStrictEqual([O.none, O.none, [], 0])
        await succeed(pets.add(record(numbered(1), held('a', 'k'))))
        expect(await answers()).toStrictEqual([O.some(numbered(1)), O.some(numbered(1)), [numbered(1)], 1])
      })

      it('adds many pets at once, each under an id of its own, and keeps the first pet of an id', async () => {
        const pets = await holding(numbered(1, fullPet))
        const names = range(1, 50).map((id) => `pet ${id}`)
        const adding = names.map((name, at) => succeed(pets.add(record(numbered(at + 1, { name, categoryId: 1n })))))
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
        // a store with several connections may add them in any order, and then assigns higher ids to some
        const ids = results.flatMap((one, at) =>
          E.isRight(one) && one.right._tag === 'Added' && one.right.id > at ? [Number(one.right.id)] : [],
        )
        expect(await idsOf(pets, { limit: 100 })).toStrictEqual(ids.sort((one, other) => other - one))
      })
    })

    describe('idempotency keys', () => {
      it('have the pet that holds them, under the id that it got, until they expire and not longer', async () => {
        const check = async (
          calls: readonly (readonly [text: string, sinceMs: number, lifeMs: number])[],
        ): Promise<void> => {
          const pets = await holding(numbered(1))
          const holders = new Map<string, { readonly pet: Pet; readonly expiresAt: number }>()
          const holderOf = (text: string, at: number) => heldAt(O.fromNullable(holders.get(text)), at)
          for (const [text, sinceMs, lifeMs] of calls) {
            const at = NOW + sinceMs
            const [lineage = '', key = ''] = text.split('/')
            const holder = holderOf(text, at)
            const result = await succeed(pets.add(record(numbered(1, fullPet), held(lineage, key, at + lifeMs), at)))
            if (O.isSome(holder)) expect(result).toStrictEqual({ _tag: 'KeyTaken', by: holder.value.pet })
            else expect(result).toMatchObject({ _tag: 'Added' })
            if (result._tag === 'Added')
              holders.set(text, { pet: numbered(result.id, fullPet), expiresAt: at + lifeMs })
          }
          const finds = KEYS.flatMap((text) => range(1, 15).map((sinceMs) => [text, NOW + sinceMs] as const))
          const found = await Promise.all(finds.map((one) => find(pets, ...one)))
          expect(found).toStrictEqual(finds.map((one) => O.map(({ pet }: { pet: Pet }) => pet)(holderOf(...one))))
        }
        await fc.assert(fc.asyncProperty(KEY_CALLS, check), { numRuns: 3, endOnFailure: true })
      })

      it('remembers an expired key for a day, so that no jump of the clock ahead and back loses it', async () => {
        const pets = await holding()
        const add = (id: number, key: string, at: number) =>
          succeed(pets.add(record(numbered(id), held('a', key, at + DAY_MS), at)))
        await add(1, 'k', NOW)
        const ahead = NOW + 1.99 * DAY_MS
        for (const id of range(2, 9)) await add(id, `ahead ${id}`, ahead)
        expect(await find(pets, 'a/k', ahead)).toStrictEqual(O.none)
        expect(await find(pets, 'a/k', NOW + 1_000)).toStrictEqual(O.some(numbered(1)))
        expect(await add(10, 'k', NOW + 1_000)).toStrictEqual({ _tag: 'KeyTaken', by: numbered(1) })
      })

      it('adds one pet when many retries race [retries]', async () => {
        const pets = await holding()
        const records = range(1, 20).map((id) => record(numbered(id), held('a', 'k')))
        const results = await Promise.all(records.map((one) => succeed(pets.add(one))))
        const [winner = 0] = await idsOf(pets, {})
        const other = { _tag: 'KeyTaken', by: numbered(winner) }
        expect(results).toStrictEqual(range(1, 20).map((id) => (id === winner ? added(id) : other)))
        expect(await succeed(pets.count(everything))).toBe(1)
      })
    })

    petPagesContract(holding)
  })
}
