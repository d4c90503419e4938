// The part of a pet repository's contract that is about pages and counts.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { PET_STATUSES, type Pet } from '../../domain/pets/pet.js'
import { ALL_PETS, MAX_LIMIT, matchesFilter, type PetQuery, pageOf } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { petFilter } from '../arbitraries.js'
import { everything, idsOf, numbered, range, record, succeed } from '../samples.js'

// a pet without a status, and one with each status
const STATUSES = [{}, ...PET_STATUSES.map((status) => ({ status }))]

export const petPagesContract = (holding: (...held: readonly Pet[]) => Promise<PetRepository>): void => {
  describe('findPage', () => {
    it('fills the largest page, finds as many ids, and counts beyond them', async () => {
      const pets = await holding(...range(1, 120).map((id) => numbered(id)))
      const page = await succeed(pets.findPage({ ...everything, limit: MAX_LIMIT }))
      expect(page.pets.map(({ id }) => Number(id))).toStrictEqual(range(21, 120).reverse())
      expect(page.next).toStrictEqual(O.some(21n))
      const ids = O.some(range(1, MAX_LIMIT).map(BigInt))
      expect(await idsOf(pets, { ids, limit: MAX_LIMIT })).toStrictEqual(range(1, MAX_LIMIT).reverse())
      expect(await succeed(pets.count(ALL_PETS))).toBe(120)
    })

    it('shows each pet once in a walk while others are added', async () => {
      const pets = await holding(...range(1, 25).map((id) => numbered(id)))
      const seen: number[] = []
      let before: O.Option<bigint> = O.none
      // a page that does not advance fails here, and not as a test without an end
      for (let pages = 0; pages === 0 || O.isSome(before); pages += 1) {
        expect(pages).toBeLessThan(3)
        const page = await succeed(pets.findPage({ ...everything, limit: 10, before }))
        seen.push(...page.pets.map(({ id }) => Number(id)))
        await succeed(pets.add(record(numbered(100 + seen.length))))
        before = page.next
      }
      expect(seen).toStrictEqual(range(1, 25).reverse())
    })

    it('finds and counts the matching pets for any query, beside queries that differ in one member', async () => {
      const held = range(1, 12).map((id) =>
        numbered(id, { name: 'Rex', categoryId: BigInt(id % 3), ...STATUSES[id % STATUSES.length] }),
      )
      const pets = await holding(...held)
      const newestFirst = held.toReversed()
      const before = fc.option(fc.bigInt({ min: 1n, max: 13n })).map(O.fromNullable)
      await fc.assert(
        fc.asyncProperty(petFilter(held), fc.constantFrom(1, 2, 3, 4, 5), before, async (filter, limit, start) => {
          // queries that differ in one member must not share a result
          const query: PetQuery = { ...filter, limit, before: start }
          const queries: readonly PetQuery[] = [
            query,
            ...Object.keys(ALL_PETS).map((member) => ({ ...query, [member]: O.none })),
            { ...query, limit: limit + 1 },
            { ...query, before: O.none },
          ]
          const check = async (one: PetQuery): Promise<void> => {
            const matching = newestFirst.filter(matchesFilter(one))
            const rest = matching.filter(({ id }) => O.isNone(one.before) || id < one.before.value)
            const [page, count] = await Promise.all([succeed(pets.findPage(one)), succeed(pets.count(one))])
            expect(page).toStrictEqual(pageOf(rest, one.limit))
            expect(count).toBe(matching.length)
          }
          await Promise.all(queries.map(check))
        }),
      )
    })
  })
}
