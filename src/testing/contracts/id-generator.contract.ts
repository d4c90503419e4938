// What every id generator promises.
import { afterEach, describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../domain/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import { fail, succeed } from '../outcome.js'

export interface IdGeneratorHarness {
  readonly ids: IdGenerator
  readonly close: () => Promise<void>
}

/**
 * The suite, for vitest; `make` makes a generator for each test and is told the last id that was given before.
 *
 * @example
 * idGeneratorContract('mine', async (last) => {
 *   let id = last
 *   const next = async () => (id < MAX_PET_ID ? E.right((id += 1n)) : E.left(unavailable('the last id is given')))
 *   return { ids: { next }, close: async () => {} }
 * })
 */
export const idGeneratorContract = (name: string, make: (last: bigint) => Promise<IdGeneratorHarness>): void => {
  describe(`IdGenerator: ${name}`, () => {
    const open: IdGeneratorHarness[] = []
    afterEach(async () => {
      for (const harness of open.splice(0)) await harness.close()
    })
    const startingAfter = async (last: bigint): Promise<IdGenerator> => {
      const harness = await make(last)
      open.push(harness)
      return harness.ids
    }

    it('starts at 1', async () => {
      expect(await succeed((await startingAfter(0n)).next)).toBe(1n)
    })

    it('gives ascending ids to callers that wait for each other', async () => {
      const ids = await startingAfter(41n)
      expect([await succeed(ids.next), await succeed(ids.next), await succeed(ids.next)]).toStrictEqual([42n, 43n, 44n])
    })

    it('gives each of many callers at once an id of its own', async () => {
      const ids = await startingAfter(0n)
      const given = await Promise.all(Array.from({ length: 200 }, () => succeed(ids.next)))
      expect(new Set(given).size).toBe(200)
      expect(given.every((id) => id >= 1n)).toBe(true)
      expect((await succeed(ids.next)) > 200n).toBe(true)
    })

    it('gives the last id and then none', async () => {
      const ids = await startingAfter(MAX_PET_ID - 1n)
      expect(await succeed(ids.next)).toBe(MAX_PET_ID)
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
    })
  })
}
