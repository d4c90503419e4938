import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { DurationMs } from '../../../src/domain/codecs/scalar.js'
import type { Pet } from '../../../src/domain/pets/pet.js'
import {
  ALL_PETS,
  DEFAULT_LIMIT,
  filterKey,
  Limit,
  LimitFromString,
  MAX_LIMIT,
  MIN_LIMIT,
  matchesFilter,
  type PetFilter,
  type PetQuery,
  pageOf,
  queryKey,
} from '../../../src/domain/pets/pet-query.js'
import { limit, pet } from '../../../src/testing/arbitraries.js'
import { anyPet, numbered } from '../../../src/testing/samples.js'
import { codecSuite, sharing } from '../../support/domain/codec-suite.js'

describe('pageOf', () => {
  it('keeps the limit, and continues after its last pet only if more were found', () => {
    fc.assert(
      fc.property(fc.array(pet(), { maxLength: 6 }), fc.integer({ min: 1, max: 6 }), (found, limit) => {
        const page = pageOf(found, limit)
        expect(page.pets).toStrictEqual(found.slice(0, limit))
        expect(page.next).toStrictEqual(found.length > limit ? O.fromNullable(found[limit - 1]?.id) : O.none)
      }),
    )
  })
})

describe('matchesFilter', () => {
  const rex = numbered(1, { ...anyPet, status: 'sold' })
  const bella = numbered(2, { ...anyPet, name: 'Bella' })

  it.each<readonly [string, PetFilter, readonly Pet[]]>([
    ['all pets', ALL_PETS, [rex, bella]],
    ['pets with a status, never those without one', { ...ALL_PETS, status: O.some('sold') }, [rex]],
    ['pets with an id', { ...ALL_PETS, ids: O.some([2n, 3n]) }, [bella]],
    ['only pets that match all members', { ...ALL_PETS, ids: O.some([2n]), status: O.some('sold') }, []],
  ])('matches %s', (_, filter, expected) => {
    expect([rex, bella].filter(matchesFilter(filter))).toStrictEqual(expected)
  })
})

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
  it('has a type of its own: a plain number fits, but no span of time does', () => {
    const plain: Limit = MAX_LIMIT
    expect(Limit.is(plain)).toBe(true)
    expectTypeOf<DurationMs>().not.toExtend<Limit>()
  })

  codecSuite({
    name: 'Limit',
    codec: Limit,
    values: limit,
    refused: sharing(LIMIT_RULE, [0, 101, 1.5, -1, Number.NaN, 5n, '5', null, undefined]),
  })

  it('is from 1 to 100, and 20 by default', () => {
    expect([MIN_LIMIT, MAX_LIMIT, DEFAULT_LIMIT]).toStrictEqual([1, 100, 20])
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
