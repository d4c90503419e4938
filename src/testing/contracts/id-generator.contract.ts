// The contract of an id generator.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import { fail, succeed } from '../samples.js'
import { opened } from './store.contract.js'

export interface IdGeneratorHarness {
  readonly ids: IdGenerator
  readonly close: () => Promise<void>
}

/**
 * The vitest suite; `make` opens a generator for each test, whose ids continue after the given last id.
 *
 * @example
 * idGeneratorContract('mine', async (last) => {
 *   let id = last
 *   const next = async () => (id < MAX_PET_ID ? E.right((id += 1n)) : E.left(unavailable('there are no more ids')))
 *   return { ids: { storage: Symbol('mine'), next }, close: async () => {} }
 * })
 */
export const idGeneratorContract = (name: string, make: (last: bigint) => Promise<IdGeneratorHarness>): void => {
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

    it('returns the last id, and then no more [ids]', async () => {
      const ids = await startingAfter(MAX_PET_ID - 1n)
      expect(await succeed(ids.next)).toBe(MAX_PET_ID)
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
    })

    it('returns the last ids to some of many concurrent callers', async () => {
      const ids = await startingAfter(MAX_PET_ID - 2n)
      const drawn = await Promise.all(Array.from({ length: 5 }, () => ids.next()))
      expect(new Set(drawn.flatMap((id) => (E.isRight(id) ? [id.right] : [])))).toStrictEqual(
        new Set([MAX_PET_ID - 1n, MAX_PET_ID]),
      )
      expect(drawn.filter(E.isLeft)).toHaveLength(3)
    })
  })
}
