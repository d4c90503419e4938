// The contract of a pet repository about pages and counts, and that of a store about damaged pets.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { unusedAfter } from '../../domain/events/relay-record.js'
import { PET_STATUSES, type Pet } from '../../domain/pets/pet.js'
import { ALL_PETS, MAX_LIMIT, matchesFilter, type PetQuery, pageOf } from '../../domain/pets/pet-query.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { ArchivedStore } from '../../ports/store.js'
import { petFilter } from '../arbitraries.js'
import { addAll, everything, fail, fullPet, held, idsOf, NOW, numbered, range, record, succeed } from '../samples.js'
import { readAll } from './archive-samples.js'
import { numbersOf } from './event-log-samples.js'
import { opened } from './store.contract.js'

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
      // fails if a page does not advance, instead of looping forever
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
            ...[...Object.keys(ALL_PETS), 'before'].map((member) => ({ ...query, [member]: O.none })),
            { ...query, limit: limit + 1 },
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

/** An empty store whose records can be made undecodable, by means outside its ports. */
export interface DamageHarness
  extends Pick<ArchivedStore, 'pets' | 'log' | 'close'>,
    Partial<Pick<ArchivedStore, 'archive' | 'relay'>> {
  /** Damages the stored record of this pet. */
  readonly damage: (id: bigint) => Promise<unknown>
  /** Damages the record of the relay. */
  readonly damageRelay?: () => Promise<unknown>
}

/** The vitest suite, for stores whose records can be damaged; `make` opens an empty store for each test. */
export const damageContract = (name: string, make: () => Promise<DamageHarness>): void => {
  describe(`damaged pets: ${name}`, () => {
    const holdingDamaged = async (...ids: readonly bigint[]) => {
      const store = await opened(make)
      const nine = range(1, 9).map((id) => numbered(id, fullPet))
      await addAll(store.pets, nine)
      for (const id of ids) await store.damage(id)
      return store
    }

    it('hide no other one in pages of any size, and are counted', async () => {
      const { pets } = await holdingDamaged(1n, 4n, 5n, 9n)
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
        expect(await succeed(pets.count({ ...ALL_PETS, ...filter }))).toBe(9)
      }
    })

    it('are not found, and named in the log, in which the others follow', async () => {
      const { log, pets } = await holdingDamaged(1n, 4n, 5n, 9n)
      const whole = await succeed(log.read({ after: 0, limit: 20 }))
      expect([numbersOf(whole), whole.damaged, whole.upTo]).toStrictEqual([[2, 3, 6, 7, 8], [1, 4, 5, 9], 9])
      const page = await succeed(log.read({ after: 3, limit: 2 }))
      expect([numbersOf(page), page.damaged, page.upTo]).toStrictEqual([[], [4, 5], 5])
      expect(await succeed(pets.findById(4n))).toStrictEqual(O.none)
      expect(await succeed(pets.findById(6n))).toStrictEqual(O.some(numbered(6, fullPet)))
    })

    it('are named beside the others in an export', async ({ skip }) => {
      const { archive } = await holdingDamaged(1n, 4n)
      if (archive === undefined) return skip('the store has no archive')
      const { records, damaged } = await readAll(archive)
      expect(records.map(({ event }) => Number(event.pet.id))).toStrictEqual([2, 3, ...range(5, 9)])
      expect(damaged.map(({ id }) => id)).toStrictEqual(['1', '4'])
    })

    it('keep their idempotency keys: a retry adds no second pet', async () => {
      const { pets, damage } = await holdingDamaged()
      await succeed(pets.add(record(numbered(10), held('a', 'k'))))
      await damage(10n)
      const retry = pets.add(record(numbered(11), held('a', 'k')))
      for (const call of [pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, NOW), retry])
        expect(await fail<unknown>(call)).toMatchObject({ _tag: 'Unavailable' })
      expect(await idsOf(pets, {})).toStrictEqual(range(1, 9).reverse())
    })

    it('have a counterpart in the relay, whose damaged record is never taken for none', async ({ skip }) => {
      const { relay, damageRelay } = await holdingDamaged()
      if (relay === undefined || damageRelay === undefined) return skip('the store has no relay that can be damaged')
      await succeed(relay.save({ ...unusedAfter(0), version: 1 }))
      await damageRelay()
      const cause = { damage: { record: 'relay record' } }
      expect(await fail(relay.load)).toMatchObject({ _tag: 'Unavailable', cause })
    })
  })
}
