// The contract of a pet repository.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/int64.js'
import { MAX_PET_ID, type Pet } from '../../domain/pets/pet.js'
import { MAX_LIMIT } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { pet } from '../arbitraries.js'
import { succeed } from '../outcome.js'
import { idempotencyKeysContract } from './idempotency-keys.contract.js'
import { petPagesContract } from './pet-pages.contract.js'
import { addAll, anyPet, everything, held, idsOf, numbered, range, record } from './pet-samples.js'

/** An empty repository, and how to close it. */
export interface PetRepositoryHarness {
  readonly pets: PetRepository
  readonly close: () => Promise<void>
}

/**
 * The vitest suite; `make` opens an empty repository for each test.
 *
 * @example
 * petRepositoryContract('mine', async () => ({ ...makeMemoryStore(), close: async () => {} }))
 */
export const petRepositoryContract = (name: string, make: () => Promise<PetRepositoryHarness>): void => {
  describe(`PetRepository: ${name}`, () => {
    const fresh = async (): Promise<PetRepository> => {
      const harness = await make()
      onTestFinished(() => harness.close())
      return harness.pets
    }
    const holding = async (...held: readonly Pet[]): Promise<PetRepository> => addAll(await fresh(), held)

    describe('add and findById', () => {
      it.each<readonly [string, Pet]>([
        ['without a status', numbered(1)],
        ['with a status', numbered(1, { ...anyPet, status: 'sold' })],
        ['with the smallest category', numbered(1, { name: 'x', categoryId: MIN_INT64 })],
        ['with the greatest category and id', numbered(MAX_PET_ID, { name: 'x', categoryId: MAX_INT64 })],
        ['with a category of zero', numbered(1, { name: 'x', categoryId: 0n })],
        [
          'with many kinds of characters in its name',
          numbered(1, { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 1n }),
        ],
        ['with the longest name', numbered(1, { name: '\u{1f436}'.repeat(256), categoryId: 1n })],
      ])('returns a pet %s exactly as it was added', async (_, added) => {
        const pets = await holding(added)
        expect(await succeed(pets.findById(added.id))).toStrictEqual(O.some(added))
      })

      it('returns any pet exactly as it was added', async () => {
        const added = fc.uniqueArray(pet(), { selector: ({ id }) => id, minLength: 1, maxLength: 20 })
        const check = async (some: readonly Pet[]): Promise<void> => {
          const pets = await holding(...some)
          const found = await Promise.all(some.map(({ id }) => succeed(pets.findById(id))))
          expect(found).toStrictEqual(some.map(O.some))
          const page = await succeed(pets.findPage({ ...everything, limit: MAX_LIMIT }))
          expect(page.pets).toStrictEqual(some.toSorted((one, other) => (one.id < other.id ? 1 : -1)))
        }
        await fc.assert(fc.asyncProperty(added, check), { numRuns: 5 })
      })

      it.each([2n, 0n, -1n, MIN_INT64, MAX_INT64, MAX_PET_ID + 1n, 2n ** 53n + 1n])(
        'finds nothing under the id %s',
        async (id) => {
          expect(await succeed((await holding(numbered(1))).findById(id))).toStrictEqual(O.none)
        },
      )

      it('refuses an id that is in use, and keeps the first pet', async () => {
        const pets = await holding(numbered(1))
        const again = record(numbered(1, { name: 'Other', categoryId: 1n }))
        expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'IdTaken' })
        expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
        expect(await succeed(pets.count(everything))).toBe(1)
      })

      it('adds many pets at once, each with its own result', async () => {
        const pets = await holding(numbered(1))
        const outcomes = await Promise.all(range(1, 50).map((id) => succeed(pets.add(record(numbered(id))))))
        expect(outcomes.flatMap(({ _tag }, at) => (_tag === 'Added' ? [] : [`${_tag} ${at + 1}`]))).toStrictEqual([
          'IdTaken 1',
        ])
        expect(await idsOf(pets, { limit: 100 })).toStrictEqual(range(1, 50).reverse())
      })

      it('adds every pet beside one that it may be unable to add', async () => {
        const pets = await fresh()
        const hopeful = record(numbered(10), held('a', 'k'.repeat(3_000)))
        const others = [...range(1, 9), ...range(11, 20)].map((id) => record(numbered(id), held('a', `k${id}`)))
        const records = [...others.slice(0, 9), hopeful, ...others.slice(9)]
        const outcomes = await Promise.all(records.map((one) => pets.add(one)()))
        const isAdded = E.isRight(outcomes[9] ?? E.left(undefined))
        for (const [at, outcome] of outcomes.entries()) {
          if (at !== 9 || isAdded) expect(outcome).toStrictEqual(E.right({ _tag: 'Added' }))
          else expect(outcome).toMatchObject(E.left({ _tag: 'Unavailable' }))
        }
        const stored = range(1, 20).filter((id) => id !== 10 || isAdded)
        expect(await idsOf(pets, { limit: 100 })).toStrictEqual(stored.reverse())
      })

      it('finds the right pet for each of many concurrent callers', async () => {
        const pets = await holding(numbered(1), numbered(3))
        const found = await Promise.all([3n, 1n, 2n, 3n].map((id) => succeed(pets.findById(id))))
        expect(found).toStrictEqual([O.some(numbered(3)), O.some(numbered(1)), O.none, O.some(numbered(3))])
      })
    })

    idempotencyKeysContract(fresh)
    petPagesContract(holding)
  })
}
