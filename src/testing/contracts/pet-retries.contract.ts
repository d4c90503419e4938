// What a pet repository promises to a caller who tries again; a part of its contract.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'
import { everything, idsOf, numbered, range, record } from './pet-samples.js'

export const petRetriesContract = (fresh: () => Promise<PetRepository>): void => {
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
}
