// The contract of an id generator.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { Store } from '../../ports/store.js'
import { fail, range, succeed } from '../samples.js'
import { opened } from './store.contract.js'

/** The vitest suite; `make` opens a generator for each test, whose ids continue after the given last id. */
export const idGeneratorContract = (
  name: string,
  make: (last: bigint) => Promise<Pick<Store, 'ids' | 'close'>>,
): void => {
  describe(`IdGenerator: ${name}`, () => {
    it.each([0n, 41n])(
      'returns ascending ids, and a different one to each of many concurrent callers, after %s [ids]',
      async (last) => {
        const { ids } = await opened(() => make(last))
        const first = await succeed(ids.next)
        expect(first).toBeGreaterThan(last)
        const given = await Promise.all(range(1, 1_001).map(() => succeed(ids.next)))
        expect(new Set([first, ...given]).size).toBe(1_002)
        const next = await succeed(ids.next)
        for (const id of given) expect(first < id && id < next).toBe(true)
      },
    )

    it('returns the last ids to some of many concurrent callers, and then no more [ids]', async () => {
      const { ids } = await opened(() => make(MAX_PET_ID - 2n))
      const drawn = await Promise.all(range(1, 5).map(() => ids.next()))
      expect(new Set(drawn.flatMap((id) => (E.isRight(id) ? [id.right] : [])))).toStrictEqual(
        new Set([MAX_PET_ID - 1n, MAX_PET_ID]),
      )
      expect(drawn.filter(E.isLeft)).toHaveLength(3)
      expect(await fail(ids.next)).toMatchObject({ _tag: 'Unavailable' })
    })
  })
}
