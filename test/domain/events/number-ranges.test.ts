import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clip,
  countOf,
  everythingAfter,
  gapsBetween,
  isIn,
  joinNearest,
  LAST_NUMBER,
  type NumberRange,
  NumberRanges,
  rangesOf,
  subtract,
  unite,
} from '../../../src/domain/events/number-ranges.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'
import { ranges } from '../../support/domain/log-reads.js'

const small = () => fc.integer({ min: 1, max: 30 })
const pair = (): fc.Arbitrary<NumberRange> =>
  fc.tuple(small(), small()).map(([one, other]) => [Math.min(one, other), Math.max(one, other)])
const pairs = () => fc.array(pair(), { maxLength: 8 })
const numbers = Array.from({ length: 32 }, (_, at) => at + 1)

const RULE = whole('must be pairs of numbers from 1, ascending and neither overlapping nor adjacent')

describe('NumberRanges', () => {
  codecSuite({
    name: 'NumberRanges',
    codec: NumberRanges,
    values: () => pairs().map((any) => unite(any)),
    refused: [
      [null, RULE],
      [[1], RULE],
      [[[1]], RULE],
      [[[1, 2, 3]], RULE],
      [[[0, 2]], RULE],
      [[[2, 1]], RULE],
      [[[1, 1.5]], RULE],
      [[[1, 2 ** 53]], RULE],
      [ranges([4, 5], [1, 2]), RULE],
      [ranges([1, 2], [2, 3]), RULE],
      [ranges([1, 2], [3, 4]), RULE],
    ],
  })
})

describe('the sets of numbers', () => {
  it('have the members that sets would have', () => {
    fc.assert(
      fc.property(pairs(), pairs(), small(), (one, other, last) => {
        const [a, b] = [unite(one), unite(other)]
        for (const number of numbers) {
          const [inA, inB] = [one, other].map((ranges) => ranges.some(([from, to]) => from <= number && number <= to))
          expect(isIn(a, number)).toBe(inA)
          expect(isIn(unite([...a, ...b]), number)).toBe(inA || inB)
          expect(isIn(subtract(a, b), number)).toBe(inA && !inB)
          expect(isIn(clip(a, last), number)).toBe(inA && number <= last)
        }
        for (const set of [a, unite([...a, ...b]), subtract(a, b), clip(a, last)])
          expect(NumberRanges.is(set)).toBe(true)
        expect(countOf(a)).toBe(numbers.filter((number) => isIn(a, number)).length)
      }),
    )
  })

  it('have no empty ranges', () => {
    expect(unite(ranges([5, 4], [9, 9], [7, 3]))).toStrictEqual([[9, 9]])
  })

  it('reach up to the last number', () => {
    const open = unite(ranges([5, LAST_NUMBER], [LAST_NUMBER - 3, LAST_NUMBER]))
    expect(open).toStrictEqual([[5, LAST_NUMBER]])
    expect(subtract(open, [[7, 7]])).toStrictEqual(ranges([5, 6], [8, LAST_NUMBER]))
    expect(clip(open, LAST_NUMBER)).toStrictEqual(open)
    expect(subtract(open, [[6, LAST_NUMBER]])).toStrictEqual([[5, 5]])
    expect(everythingAfter(LAST_NUMBER)).toStrictEqual([])
  })
})

describe('gapsBetween', () => {
  it('has the numbers in between', () => {
    expect(gapsBetween(ranges([1, 1], [4, 5], [6, 9], [11, LAST_NUMBER]))).toStrictEqual(ranges([2, 3], [10, 10]))
    expect(gapsBetween([[4, 5]])).toStrictEqual([])
  })
})

describe('joinNearest', () => {
  it('joins the ranges with the smallest gaps, and no more than it must', () => {
    const five: readonly NumberRange[] = ranges([1, 1], [10, 12], [14, 14], [20, 20], [22, LAST_NUMBER])
    expect(joinNearest(five, 5)).toBe(five)
    expect(joinNearest(five, 3)).toStrictEqual(ranges([1, 1], [10, 14], [20, LAST_NUMBER]))
    expect(joinNearest(five, 1)).toStrictEqual([[1, LAST_NUMBER]])
  })

  it('loses no number', () => {
    fc.assert(
      fc.property(pairs(), fc.integer({ min: 1, max: 4 }), (any, count) => {
        const united = unite(any)
        const joined = joinNearest(united, count)
        expect(joined.length).toBeLessThanOrEqual(count)
        expect(NumberRanges.is(joined)).toBe(true)
        expect(subtract(united, joined)).toStrictEqual([])
      }),
    )
  })
})

describe('rangesOf', () => {
  it('has exactly the numbers', () => {
    fc.assert(
      fc.property(fc.uniqueArray(small()), (any) => {
        const ascending = any.toSorted((one, other) => one - other)
        expect(rangesOf(ascending)).toStrictEqual(unite(any.map((number): NumberRange => [number, number])))
      }),
    )
  })

  it('has few ranges of scattered numbers, which lose none of them', () => {
    const scattered = Array.from({ length: 25_000 }, (_, at) => 2 * at + 1)
    const ranges = rangesOf(scattered)
    expect(ranges.length).toBeLessThanOrEqual(10_000)
    expect(NumberRanges.is(ranges)).toBe(true)
    const within = new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)))
    expect(scattered.filter((number) => !within.has(number))).toStrictEqual([])
  })
})
