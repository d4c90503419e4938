import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { listPets } from '../../../src/domain/pets/find-pets.js'
import type { Pet } from '../../../src/domain/pets/pet.js'
import type { PetQuery } from '../../../src/domain/pets/pet-query.js'
import { anyPet, everything, fail, numbered, succeed } from '../../../src/testing/samples.js'
import { once } from '../../support/domain/add-pet-input.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingPets, outage } from '../../support/domain/failing-ports.js'

const newest: PetQuery = { ...everything, limit: 2 }

const zoo = async () => {
  const world = makeWorld()
  for (const status of ['sold', 'pending', 'sold', 'sold'] as const) {
    await succeed(addPet(world)(once({ ...anyPet, status })))
  }
  return world
}
const rex = (id: number, status: 'sold' | 'pending'): Pet => numbered(id, { ...anyPet, status })

describe('listPets', () => {
  it('returns the newest matching pets, and where the next page starts', async () => {
    const list = listPets(await zoo())
    expect(await succeed(list({ query: newest, counted: false }))).toStrictEqual({
      page: { pets: [rex(4, 'sold'), rex(3, 'sold')], next: O.some(3n) },
      total: O.none,
    })
    expect(await succeed(list({ query: { ...newest, before: O.some(3n) }, counted: false }))).toStrictEqual({
      page: { pets: [rex(2, 'pending'), rex(1, 'sold')], next: O.none },
      total: O.none,
    })
  })

  it('counts all matching pets, beyond the page, on request', async () => {
    const query: PetQuery = { ...newest, limit: 1, status: O.some('sold'), before: O.some(4n) }
    expect(await succeed(listPets(await zoo())({ query, counted: true }))).toStrictEqual({
      page: { pets: [rex(3, 'sold')], next: O.some(3n) },
      total: O.some(3),
    })
  })

  it('refuses a query out of bounds', async () => {
    const int64 = 'an integer from -9223372036854775808 to 9223372036854775807'
    const bad = Object.assign({ ...newest }, JSON.parse('{"limit":101,"status":{"_tag":"Some","value":"lost"}}'), {
      ids: O.some(Array(101).fill(1n)),
      before: O.some(2n ** 63n),
    }) as PetQuery
    const faults = [
      { pointer: '/status', reason: 'must be one of available, pending, sold' },
      { pointer: '/ids', reason: `must be at most 100 ids, each ${int64}` },
      { pointer: '/limit', reason: 'must be an integer from 1 to 100' },
      { pointer: '/before', reason: `must be ${int64}` },
    ]
    const list = listPets({ pets: failingPets })
    expect(await fail(list({ query: bad, counted: true }))).toStrictEqual({ _tag: 'ValidationFailed', faults })
    const raw = { ...newest, status: JSON.parse('"sold"') as PetQuery['status'] }
    expect(await fail(list({ query: raw, counted: false }))).toStrictEqual({
      _tag: 'ValidationFailed',
      faults: [{ pointer: '/status', reason: 'must be an Option' }],
    })
    expect(await fail(list({ query: { ...newest, ids: O.some([1n, 2n ** 64n]) }, counted: false }))).toStrictEqual({
      _tag: 'ValidationFailed',
      faults: [faults[1]],
    })
  })

  it('does not count without a request', async () => {
    const world = await zoo()
    const pets = { ...world.pets, count: failingPets.count }
    expect((await succeed(listPets({ pets })({ query: newest, counted: false }))).total).toStrictEqual(O.none)
    expect(await fail(listPets({ pets })({ query: newest, counted: true }))).toBe(outage)
    const uncounted = { ...world.pets, findPage: failingPets.findPage }
    expect(await fail(listPets({ pets: uncounted })({ query: newest, counted: true }))).toBe(outage)
  })

  it.each([true, false])('reports an outage, with a count or without: %s', async (counted) => {
    expect(await fail(listPets({ pets: failingPets })({ query: newest, counted }))).toBe(outage)
  })
})
