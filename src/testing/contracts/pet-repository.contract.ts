// What every pet repository promises.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { afterEach, describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/int64.js'
import { MAX_PET_ID, type NewPet, type Pet, petFrom } from '../../domain/pet.js'
import type { PetQuery } from '../../domain/pet-query.js'
import type { Idempotency, PetRecord, PetRepository } from '../../ports/pet-repository.js'
import { fail, succeed } from '../outcome.js'

/** Makes an empty repository, and closes it. */
export interface PetRepositoryHarness {
  readonly pets: PetRepository
  readonly close: () => Promise<void>
}

const anyPet: NewPet = { name: 'Rex', categoryId: 7n }
const everything: PetQuery = { limit: 20, status: O.none, ids: O.none, before: O.none }

// an event id is never made twice: by it an adapter knows a record whose adding it has begun before
let made = 0
const record = (pet: Pet, idempotency: O.Option<Idempotency> = O.none, time = 1_000): PetRecord => {
  made += 1
  return { event: { eventId: `event-${made}`, time, pet }, idempotency }
}
const numbered = (id: number | bigint, newPet: NewPet = anyPet): Pet => petFrom(BigInt(id), newPet)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

export const petRepositoryContract = (name: string, make: () => Promise<PetRepositoryHarness>): void => {
  describe(`PetRepository: ${name}`, () => {
    const open: PetRepositoryHarness[] = []
    afterEach(async () => {
      for (const harness of open.splice(0)) await harness.close()
    })
    const fresh = async (): Promise<PetRepository> => {
      const harness = await make()
      open.push(harness)
      return harness.pets
    }
    const holding = async (...held: readonly Pet[]): Promise<PetRepository> => {
      const pets = await fresh()
      for (const pet of held) await succeed(pets.add(record(pet)))
      return pets
    }
    const idsOf = async (pets: PetRepository, query: Partial<PetQuery>): Promise<readonly number[]> =>
      (await succeed(pets.findPage({ ...everything, ...query }))).pets.map(({ id }) => Number(id))

    describe('add and findById', () => {
      it.each<readonly [string, Pet]>([
        ['without a status', numbered(1)],
        ['with a status', numbered(1, { ...anyPet, status: 'sold' })],
        ['with the smallest category', numbered(1, { name: 'x', categoryId: MIN_INT64 })],
        ['with the greatest category and id', numbered(MAX_PET_ID, { name: 'x', categoryId: MAX_INT64 })],
        ['with a category of zero', numbered(1, { name: 'x', categoryId: 0n })],
        [
          'with a name of many kinds of characters',
          numbered(1, { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 1n }),
        ],
        ['with the longest name', numbered(1, { name: '\u{1f436}'.repeat(256), categoryId: 1n })],
      ])('gives back a pet %s exactly', async (_, pet) => {
        const pets = await holding(pet)
        expect(await succeed(pets.findById(pet.id))).toStrictEqual(O.some(pet))
      })

      it.each([2n, 0n, -1n, MIN_INT64, MAX_INT64, MAX_PET_ID + 1n, 2n ** 53n + 1n])(
        'finds nothing under the id %s',
        async (id) => {
          expect(await succeed((await holding(numbered(1))).findById(id))).toStrictEqual(O.none)
        },
      )

      it('refuses an id that is in use and keeps the first pet', async () => {
        const pets = await holding(numbered(1))
        expect(await fail(pets.add(record(numbered(1, { name: 'Other', categoryId: 1n }))))).toMatchObject({
          _tag: 'Unavailable',
        })
        expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
        expect(await succeed(pets.count(everything))).toBe(1)
      })

      it('adds many pets at once, each with its own result', async () => {
        const pets = await holding(numbered(3))
        const outcomes = await Promise.allSettled(range(1, 50).map((id) => succeed(pets.add(record(numbered(id))))))
        expect(outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at + 1] : []))).toStrictEqual([3])
        expect(await idsOf(pets, { limit: 100 })).toStrictEqual(range(1, 50).reverse())
      })
    })

    describe('idempotency', () => {
      const key = (apiKeyId: string, text: string, expiresAt = 2_000) => O.some({ apiKeyId, key: text, expiresAt })

      it('answers the first pet for a key that is taken, and adds nothing', async () => {
        const pets = await fresh()
        expect(await succeed(pets.add(record(numbered(1), key('a', 'k'))))).toStrictEqual({ _tag: 'Added' })
        const again = record(numbered(2, { name: 'Other', categoryId: 1n }), key('a', 'k'))
        expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'KeyTaken', by: numbered(1) })
        expect(await idsOf(pets, {})).toStrictEqual([1])
      })

      it('tells apart the keys of different callers, and different keys of one', async () => {
        const pets = await fresh()
        const keys = [key('a', 'k'), key('b', 'k'), key('a', 'K'), key('a', 'k '), key('a k', ''), O.none, O.none]
        for (const [at, used] of keys.entries()) {
          expect(await succeed(pets.add(record(numbered(at + 1), used)))).toStrictEqual({ _tag: 'Added' })
        }
      })

      it('frees a key at its expiry, not before, and keeps its pet', async () => {
        const pets = await fresh()
        await succeed(pets.add(record(numbered(1), key('a', 'k', 2_000), 1_000)))
        expect(await succeed(pets.add(record(numbered(2), key('a', 'k', 3_000), 1_999)))).toMatchObject({
          _tag: 'KeyTaken',
        })
        expect(await succeed(pets.add(record(numbered(3), key('a', 'k', 3_000), 2_000)))).toStrictEqual({
          _tag: 'Added',
        })
        expect(await succeed(pets.add(record(numbered(4), key('a', 'k', 4_000), 2_500)))).toStrictEqual({
          _tag: 'KeyTaken',
          by: numbered(3),
        })
        expect(await idsOf(pets, {})).toStrictEqual([3, 1])
      })

      it('adds one pet when many retries race', async () => {
        const pets = await fresh()
        const outcomes = await Promise.all(
          range(1, 20).map((id) => succeed(pets.add(record(numbered(id), key('a', 'k'))))),
        )
        expect(outcomes.filter(({ _tag }) => _tag === 'Added')).toHaveLength(1)
        const [winner] = await idsOf(pets, {})
        expect(
          outcomes.filter((outcome) => outcome._tag === 'KeyTaken' && Number(outcome.by.id) === winner),
        ).toHaveLength(19)
        expect(await succeed(pets.count(everything))).toBe(1)
      })
    })

    describe('findPage', () => {
      const zoo = () =>
        holding(
          numbered(4, { ...anyPet, status: 'sold' }),
          numbered(2, { ...anyPet, status: 'available' }),
          numbered(1),
          numbered(9, { ...anyPet, status: 'sold' }),
          numbered(3, { ...anyPet, status: 'sold' }),
        )

      it.each<readonly [string, Partial<PetQuery>, readonly number[]]>([
        ['all', {}, [9, 4, 3, 2, 1]],
        ['the newest of a limit', { limit: 2 }, [9, 4]],
        ['those of a status', { status: O.some('sold') }, [9, 4, 3]],
        ['none for a status that no pet has', { status: O.some('pending') }, []],
        ['those before an id', { before: O.some(4n) }, [3, 2, 1]],
        ['those before an id that no pet has', { before: O.some(8n) }, [4, 3, 2, 1]],
        ['none before the first', { before: O.some(1n) }, []],
        ['those of a status before an id', { status: O.some('sold'), before: O.some(9n) }, [4, 3]],
        ['those of some ids, once each', { ids: O.some([1n, 9n, 9n, 5n, MIN_INT64, MAX_INT64]) }, [9, 1]],
        ['those of some ids within the limit', { ids: O.some([1n, 9n, 4n]), limit: 2 }, [9, 4]],
        ['those of some ids and a status', { ids: O.some([1n, 9n, 4n]), status: O.some('sold') }, [9, 4]],
        ['those of some ids before an id', { ids: O.some([1n, 9n, 4n]), before: O.some(9n) }, [4, 1]],
      ])('finds %s, newest first', async (_, query, expected) => {
        expect(await idsOf(await zoo(), query)).toStrictEqual(expected)
      })

      it('says where the next page starts while more follow, and only then', async () => {
        const pets = await zoo()
        const next = async (query: Partial<PetQuery>) =>
          (await succeed(pets.findPage({ ...everything, ...query }))).next
        expect(await next({ limit: 2 })).toStrictEqual(O.some(4n))
        expect(await next({ limit: 4 })).toStrictEqual(O.some(2n))
        expect(await next({ limit: 5 })).toStrictEqual(O.none)
        expect(await next({ limit: 3, status: O.some('sold') })).toStrictEqual(O.none)
        expect(await next({ limit: 1, ids: O.some([1n, 9n]) })).toStrictEqual(O.some(9n))
      })

      it('shows each pet once in a walk while others are added', async () => {
        const pets = await holding(...range(1, 25).map((id) => numbered(id)))
        const seen: number[] = []
        let before: O.Option<bigint> = O.none
        do {
          const page = await succeed(pets.findPage({ ...everything, limit: 10, before }))
          seen.push(...page.pets.map(({ id }) => Number(id)))
          await succeed(pets.add(record(numbered(100 + seen.length))))
          before = page.next
        } while (O.isSome(before))
        expect(seen).toStrictEqual(range(1, 25).reverse())
      })

      it('counts what a filter matches, whatever the page', async () => {
        const pets = await zoo()
        expect(await succeed(pets.count(everything))).toBe(5)
        expect(await succeed(pets.count({ status: O.some('sold'), ids: O.none }))).toBe(3)
        expect(await succeed(pets.count({ status: O.some('pending'), ids: O.none }))).toBe(0)
        expect(await succeed(pets.count({ status: O.some('sold'), ids: O.some([9n, 9n, 1n]) }))).toBe(1)
      })
    })

    it('answers a ping', async () => {
      expect(await (await fresh()).ping()).toStrictEqual(E.right(undefined))
    })
  })
}
