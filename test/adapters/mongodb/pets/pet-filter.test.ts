import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { queryKey } from '../../../../src/adapters/mongodb/pets/pet-filter.js'
import { ALL_PETS, filterKey, type PetFilter, type PetQuery } from '../../../../src/domain/pets/pet-query.js'

describe('the keys of filters and queries', () => {
  const all: PetQuery = { ...ALL_PETS, limit: 20, before: O.none }
  const filters: readonly PetFilter[] = [
    all,
    { ...all, status: O.some('sold') },
    { ...all, status: O.some('pending') },
    { ...all, ids: O.some([]) },
    { ...all, ids: O.some([1n]) },
    { ...all, ids: O.some([1n, 2n]) },
    { ...all, ids: O.some([12n]) },
    { ...all, ids: O.some([1n]), status: O.some('sold') },
  ]
  const queries: readonly PetQuery[] = filters.flatMap((filter) => [
    { ...all, ...filter },
    { ...all, ...filter, limit: 1 },
    { ...all, ...filter, before: O.some(1n) },
    { ...all, ...filter, before: O.some(20n) },
  ])

  it('distinguish different filters and queries', () => {
    expect(new Set(filters.map(filterKey)).size).toBe(filters.length)
    expect(new Set(queries.map(queryKey)).size).toBe(queries.length)
  })

  it('are the same for equal queries', () => {
    for (const query of queries) {
      // the same members in another order, those of the filter too
      const { status, ...others } = query
      const same = { ...others, status }
      expect([filterKey(same), queryKey(same)]).toStrictEqual([filterKey(query), queryKey(query)])
    }
  })
})
