// The contract of a store about records that cannot be decoded: each is left out, and hides no other.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { ALL_PETS } from '../../domain/pets/pet-query.js'
import type { ServedStore } from '../../ports/store.js'
import { addAll, fullPet, idsOf, numbered, range, succeed } from '../samples.js'
import { numbersOf } from './event-log-samples.js'
import { opened } from './store.contract.js'

/** An empty store whose records can be damaged. */
export interface DamageHarness extends Pick<ServedStore, 'pets' | 'log' | 'close'> {
  /** Makes the stored record of this pet one that the store cannot decode, by another way than its ports. */
  readonly damage: (id: bigint) => Promise<unknown>
}

/** The vitest suite, for stores whose records another hand can reach; `make` opens an empty store for each test. */
export const damageContract = (name: string, make: () => Promise<DamageHarness>): void => {
  describe(`damaged pets: ${name}`, () => {
    const holdingDamaged = async (...ids: readonly number[]) => {
      const store = await opened(make)
      await addAll(
        store.pets,
        range(1, 9).map((id) => numbered(id, fullPet)),
      )
      for (const id of ids) await store.damage(BigInt(id))
      return store
    }

    it('hide no other one in pages of any size, and none is counted once it was met', async () => {
      const { pets } = await holdingDamaged(1, 4, 5, 9)
      const filters = [{}, { status: O.some(fullPet.status) }, { ids: O.some(range(1, 9).map(BigInt)) }]
      for (const filter of filters) {
        for (const limit of [1, 2, 3, 5, 20]) {
          const seen: number[] = []
          for (let before: O.Option<bigint> = O.none; seen.length < 9; before = O.some(BigInt(seen.at(-1) ?? 0))) {
            const ids = await idsOf(pets, { ...filter, limit, before })
            seen.push(...ids)
            if (ids.length < limit) break
          }
          expect(seen).toStrictEqual([8, 7, 6, 3, 2])
        }
        expect(await succeed(pets.count({ ...ALL_PETS, ...filter }))).toBe(5)
      }
    })

    it('are named in the log, in which the others follow', async () => {
      const { log } = await holdingDamaged(1, 4, 5, 9)
      const whole = await succeed(log.read({ after: 0, limit: 20 }))
      expect([numbersOf(whole), whole.damaged, whole.upTo]).toStrictEqual([[2, 3, 6, 7, 8], [1, 4, 5, 9], 9])
      const page = await succeed(log.read({ after: 3, limit: 2 }))
      expect([numbersOf(page), page.damaged, page.upTo]).toStrictEqual([[], [4, 5], 5])
    })

    it('are not found', async () => {
      const { pets } = await holdingDamaged(4)
      expect(await succeed(pets.findById(4n))).toStrictEqual(O.none)
      expect(await succeed(pets.findById(5n))).toStrictEqual(O.some(numbered(5, fullPet)))
    })
  })
}
