import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import {
  ALL_PETS,
  filterKey,
  Limit,
  LimitFromString,
  type PetFilter,
  type PetQuery,
  queryKey,
} from '../../../src/domain/pets/pet-query.js'
import { limit } from '../../../src/testing/arbitraries.js'
import { codecSuite, sharing } from '../../support/domain/codec-suite.js'

describe('the keys of filters and queries', () => {
  const sorted = (ids: readonly bigint[]) => [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1))
  const meaning = <F extends PetFilter>(filter: F) => ({ ...filter, ids: O.map(sorted)(filter.ids) })
  const few = fc.constantFrom(1n, 2n, 12n)
  // whatever a later member may hold
  const texts = fc.constantFrom(
    'available',
    'undefined',
    '*',
    'null',
    '1',
    ' ',
    '1 1',
    '"',
  ) as fc.Arbitrary<'available'>
  const option = <A>(some: fc.Arbitrary<A>) => fc.option(some).map(O.fromNullable)
  const members = fc.record({
    status: option(texts),
    ids: option(fc.array(few, { maxLength: 3 })),
    limit: fc.constantFrom(1, 12),
    before: option(few),
  })
  const query = members.map((some): PetQuery => ({ ...ALL_PETS, ...some }))
  const filterOf = ({ limit, before, ...filter }: PetQuery): PetFilter => filter

  it('are equal for equal filters and queries only', () => {
    fc.assert(
      fc.property(query, query, (one, other) => {
        const [first, second] = [meaning(one), meaning(other)]
        expect(queryKey(one) === queryKey(other)).toBe(isDeepStrictEqual(first, second))
        expect(filterKey(one) === filterKey(other)).toBe(isDeepStrictEqual(filterOf(first), filterOf(second)))
      }),
      { numRuns: 2_000 },
    )
  })
})

const LIMIT_RULE = 'must be an integer from 1 to 100'

describe('Limit', () => {
  codecSuite({
    name: 'Limit',
    codec: Limit,
    values: limit,
    refused: sharing(LIMIT_RULE, [0, 101, 1.5, -1, Number.NaN, 5n, '5', null, undefined]),
  })
})

describe('LimitFromString', () => {
  codecSuite({
    name: 'LimitFromString',
    codec: LimitFromString,
    values: limit,
    refused: sharing(LIMIT_RULE, [
      ...['', '0', '101', '1000', '-1', '+5', '05', '5.0', '1e1', ' 5', '5 ', '5\n', '0x5', 'five', '\uff15'],
      ...[null, undefined, ['5']],
    ]),
  })
})
