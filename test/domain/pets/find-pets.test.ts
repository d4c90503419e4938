import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { getPet, listPets } from '../../../src/domain/pets/find-pets.js'
import type { PetQuery } from '../../../src/domain/pets/pet-query.js'
import { addAll, anyPet, everything, fail, numbered, succeed } from '../../../src/testing/samples.js'
import { failingPets, outage } from '../../support/domain/failing-ports.js'

const all = (['sold', 'pending', 'sold', 'sold'] as const).map((status, at) => numbered(at + 1, { ...anyPet, status }))
const [, , third] = all
const zoo = () => addAll(makeMemoryStore().pets, all)

describe('getPet', () => {
  it.each([MAX_INT64 + 1n, MIN_INT64 - 1n])('does not ask the store for %s, which is not an int64', async (id) => {
    expect(await fail(getPet({ pets: failingPets })(id))).toStrictEqual({ _tag: 'PetNotFound' })
  })

  it('reports an outage', async () => {
    expect(await fail(getPet({ pets: failingPets })(1n))).toBe(outage)
  })
})

describe('listPets', () => {
  it('returns a page and where the next one starts, and on request counts all matching pets beyond the page', async () => {
    const query: PetQuery = { ...everything, limit: 1, status: O.some('sold'), before: O.some(4n) }
    const page = { pets: [third], next: O.some(3n) }
    const list = listPets({ pets: await zoo() })
    expect(await succeed(list({ query, counted: true }))).toStrictEqual({ page, total: O.some(3) })
    expect(await succeed(list({ query, counted: false }))).toStrictEqual({ page, total: O.none })
  })

  it('refuses a query out of bounds, and asks no port', async () => {
    const int64 = 'an integer from -9223372036854775808 to 9223372036854775807'
    const ids = { pointer: '/ids', reason: `must be at most 100 ids, each ${int64}` }
    const lost = JSON.parse('{"limit":101,"status":{"_tag":"Some","value":"lost"}}') as PetQuery
    const refused = async (changes: Partial<PetQuery>, faults: readonly object[]) =>
      expect(
        await fail(listPets({ pets: failingPets })({ query: { ...everything, ...changes }, counted: true })),
      ).toStrictEqual({ _tag: 'ValidationFailed', faults })
    await refused({ ...lost, ids: O.some(Array(101).fill(1n)), before: O.some(2n ** 63n) }, [
      { pointer: '/status', reason: 'must be one of available, pending, sold' },
      ids,
      { pointer: '/limit', reason: 'must be an integer from 1 to 100' },
      { pointer: '/before', reason: `must be ${int64}` },
    ])
    const raw = JSON.parse('{"status":"sold"}') as PetQuery
    await refused(raw, [{ pointer: '/status', reason: 'must be an Option' }])
    await refused({ ids: O.some([1n, 2n ** 64n]) }, [ids])
  })

  it('does not count without a request, and reports an outage', async () => {
    const pets = await zoo()
    const list = (away: 'count' | 'findPage', counted: boolean) =>
      listPets({ pets: { ...pets, [away]: failingPets[away] } })({ query: everything, counted })
    expect((await succeed(list('count', false))).total).toStrictEqual(O.none)
    expect(await fail(list('count', true))).toBe(outage)
    for (const counted of [true, false]) expect(await fail(list('findPage', counted))).toBe(outage)
  })
})
