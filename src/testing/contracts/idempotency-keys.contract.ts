// The part of a pet repository's contract that is about idempotency keys.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'
import { everything, fullPet, held, idsOf, numbered, range, record } from './pet-samples.js'

export const idempotencyKeysContract = (fresh: () => Promise<PetRepository>): void => {
  describe('idempotency keys', () => {
    it('returns the first pet for a key that is taken, and adds nothing', async () => {
      const pets = await fresh()
      expect(await succeed(pets.add(record(numbered(1), held('a', 'k'))))).toStrictEqual({ _tag: 'Added' })
      const again = record(numbered(2, { name: 'Other', categoryId: 1n }), held('a', 'k'))
      expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'KeyTaken', by: numbered(1) })
      expect(await idsOf(pets, {})).toStrictEqual([1])
    })

    it('leaves a key free if the id of the pet is taken', async () => {
      const pets = await fresh()
      await succeed(pets.add(record(numbered(1))))
      expect(await succeed(pets.add(record(numbered(1), held('a', 'k'))))).toStrictEqual({ _tag: 'IdTaken' })
      expect(await succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 1_000))).toStrictEqual(O.none)
      expect(await succeed(pets.add(record(numbered(2), held('a', 'k'))))).toStrictEqual({ _tag: 'Added' })
    })

    it('distinguishes keys of different callers, and different keys of one caller', async () => {
      const pets = await fresh()
      const keys = [
        held('a', 'k'),
        held('b', 'k'),
        held('a', 'K'),
        held('a', 'k '),
        held('a k', ''),
        held('a', 'bc'),
        held('ab', 'c'),
      ]
      for (const [at, used] of [...keys, O.none, O.none].entries()) {
        expect(await succeed(pets.add(record(numbered(at + 1), used)))).toStrictEqual({ _tag: 'Added' })
      }
    })

    it('frees a key when it expires, not before, and keeps its pet', async () => {
      const pets = await fresh()
      await succeed(pets.add(record(numbered(1), held('a', 'k', 2_000), 1_000)))
      expect(await succeed(pets.add(record(numbered(2), held('a', 'k', 3_000), 1_999)))).toMatchObject({
        _tag: 'KeyTaken',
      })
      expect(await succeed(pets.add(record(numbered(3), held('a', 'k', 3_000), 2_000)))).toStrictEqual({
        _tag: 'Added',
      })
      expect(await succeed(pets.add(record(numbered(4), held('a', 'k', 4_000), 2_500)))).toStrictEqual({
        _tag: 'KeyTaken',
        by: numbered(3),
      })
      expect(await idsOf(pets, {})).toStrictEqual([3, 1])
    })

    it('remembers an expired key for a day, so that no jump of the clock ahead and back loses it', async () => {
      const pets = await fresh()
      const day = 86_400_000
      await succeed(pets.add(record(numbered(1), held('a', 'k', 1_000 + day), 1_000)))
      const ahead = 1_000 + 1.25 * day
      for (const id of range(2, 9)) {
        await succeed(pets.add(record(numbered(id), held('a', `ahead ${id}`, ahead + day), ahead)))
      }
      expect(await succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, ahead))).toStrictEqual(O.none)
      expect(await succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 2_000))).toStrictEqual(
        O.some(numbered(1)),
      )
      expect(await succeed(pets.add(record(numbered(10), held('a', 'k', 2_000 + day), 2_000)))).toStrictEqual({
        _tag: 'KeyTaken',
        by: numbered(1),
      })
    })

    describe('findByIdempotencyKey', () => {
      const find = (pets: PetRepository, lineage: string, text: string, at = 1_000) =>
        succeed(pets.findByIdempotencyKey({ lineage, key: text }, at))

      it('finds only the pet that holds this key of this caller', async () => {
        const pets = await fresh()
        const full = numbered(1, fullPet)
        await succeed(pets.add(record(full, held('a', 'k'))))
        await succeed(pets.add(record(numbered(2), held('b', 'k'))))
        expect(await find(pets, 'a', 'k')).toStrictEqual(O.some(full))
        expect(await find(pets, 'b', 'k')).toStrictEqual(O.some(numbered(2)))
        for (const [caller, text] of [
          ['c', 'k'],
          ['a', 'K'],
          ['a', 'k '],
          ['a k', ''],
          ['', 'k'],
          ['a', ''],
        ] as const) {
          expect(await find(pets, caller, text)).toStrictEqual(O.none)
        }
      })

      it('finds the pet until the key expires, and the next holder afterwards', async () => {
        const pets = await fresh()
        await succeed(pets.add(record(numbered(1), held('a', 'k', 2_000), 1_000)))
        expect(await find(pets, 'a', 'k', 1_999)).toStrictEqual(O.some(numbered(1)))
        expect(await find(pets, 'a', 'k', 2_000)).toStrictEqual(O.none)
        await succeed(pets.add(record(numbered(2), held('a', 'k', 3_000), 2_000)))
        expect(await find(pets, 'a', 'k', 2_999)).toStrictEqual(O.some(numbered(2)))
        expect(await find(pets, 'a', 'k', 3_000)).toStrictEqual(O.none)
      })

      it('finds the right pet for each of many concurrent callers', async () => {
        const pets = await fresh()
        await succeed(pets.add(record(numbered(1), held('a', 'k', 2_000), 1_000)))
        await succeed(pets.add(record(numbered(2), held('a', 'k', 4_000), 2_000)))
        await succeed(pets.add(record(numbered(3), held('b', 'k', 3_000), 2_000)))
        const found = await Promise.all([
          find(pets, 'a', 'k', 3_500),
          find(pets, 'b', 'k', 3_500),
          find(pets, 'b', 'k', 2_500),
          find(pets, 'c', 'k', 2_500),
          find(pets, 'a', 'k', 4_000),
        ])
        expect(found).toStrictEqual([O.some(numbered(2)), O.none, O.some(numbered(3)), O.none, O.none])
      })
    })

    it('adds one pet when many retries race [retries]', async () => {
      const pets = await fresh()
      const outcomes = await Promise.all(
        range(1, 20).map((id) => succeed(pets.add(record(numbered(id), held('a', 'k'))))),
      )
      expect(outcomes.filter(({ _tag }) => _tag === 'Added')).toHaveLength(1)
      const [winner] = await idsOf(pets, {})
      expect(
        outcomes.filter((outcome) => outcome._tag === 'KeyTaken' && Number(outcome.by.id) === winner),
      ).toHaveLength(19)
      expect(await succeed(pets.count(everything))).toBe(1)
    })
  })
}
