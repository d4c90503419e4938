// The contract of an id generator.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import type { Store } from '../../ports/store.js'
import { fail, succeed } from '../samples.js'
import { opened } from './store.contract.js'

/** The vitest suite; `make` opens a generator for each test, whose ids continue after the given last id. */
export const idGeneratorContract = (
  name: string,
  make: (last: bigint) => Promise<Pick<Store, 'ids' | 'close'>>,
): void => {
  describe(`IdGenerator: ${name}`, () => {
    const startingAfter = async (last: bigint): Promise<IdGenerator> => (await opened(() => make(last))).ids

    it.each([0n, 41n])('returns ascending ids to sequential callers, after %s [ids]', async (last) => {
      const ids = await startingAfter(last)
      for (const step of [1n, 2n, 3n]) expect(await succeed(ids.next)).toBe(last + step)
    })

    it('returns a different id to each of many concurrent callers [ids]', async () => {
      const ids = await startingAfter(0n)
      const given = await Promise.all(Array.from({ length: 1_001 }, () => succeed(ids.next)))
      expect(new Set(given).size).toBe(1_001)
      expect(given.every((id) => id >= 1n)).toBe(true)
      expect((await succeed(ids.next)) > 1_001n).toBe(true)
    })

    it('returns the last ids to some of many concurrent callers, and then no more [ids]', async () => {
      const ids = await startingAfter(MAX_PET_ID - 2n)
      const drawn = await Promise.all(Array.from({ length: 5 }, () => ids.next()))
      expect(new Set(drawn.flatMap((id) => (E.isRight(id) ? [id.right] : [])))).toStrictEqual(
        new Set([MAX_PET_ID - 1n, MAX_PET_ID]),
      )
      expect(drawn.filter(E.isLeft)).toHaveLength(3)
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
    })
  })
}
