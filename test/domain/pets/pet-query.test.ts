import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { Limit, LimitFromString, type PetQuery, queryKey } from '../../../src/domain/pets/pet-query.js'
import { limit, petStatus } from '../../../src/testing/arbitraries.js'
import { codecSuite, sharing } from '../../support/domain/codec-suite.js'

it('queryKey, and with it filterKey, is equal for equal queries only', () => {
  const sorted = (ids: readonly bigint[]) => [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1))
  const meaning = (query: PetQuery) => ({ ...query, ids: O.map(sorted)(query.ids) })
  const few = fc.constantFrom(1n, 2n, 12n)
  const option = <A>(some: fc.Arbitrary<A>) => fc.option(some).map(O.fromNullable)
  const query: fc.Arbitrary<PetQuery> = fc.record({
    status: option(petStatus()),
    ids: option(fc.array(few, { maxLength: 3 })),
    limit: fc.constantFrom(1, 12),
    before: option(few),
  })
  fc.assert(
    fc.property(query, query, (one, other) => {
      expect(queryKey(one) === queryKey(other)).toBe(isDeepStrictEqual(meaning(one), meaning(other)))
    }),
    { numRuns: 2_000 },
  )
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
