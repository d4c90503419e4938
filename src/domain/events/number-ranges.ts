// Sets of event numbers, as sorted, disjoint ranges.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as t from 'io-ts'
import { guarded, Positive } from '../codecs/guarded.js'

/** The numbers from the first to the second, both included. */
export type NumberRange = readonly [from: number, to: number]

/** The end of a range that is open: no event has a greater number. */
export const LAST_NUMBER = Number.MAX_SAFE_INTEGER

/** Every number that is in one of the ranges, which may come in any order and overlap. */
export const unite = (ranges: readonly NumberRange[]): readonly NumberRange[] => {
  const united: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = united.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else if (from <= to) united.push([from, to])
  }
  return united
}

const Pairs = t.readonlyArray(t.tuple([Positive, Positive]))

export const NumberRanges = guarded(
  'NumberRanges',
  // any other way to write a set down is refused
  (u): u is readonly NumberRange[] => Pairs.is(u) && JSON.stringify(u) === JSON.stringify(unite(u)),
  'must be pairs of numbers from 1, ascending and neither overlapping nor adjacent',
)

/** The numbers of `ranges` that are not in `removed`. */
export const subtract = (ranges: readonly NumberRange[], removed: readonly NumberRange[]): readonly NumberRange[] =>
  removed.reduce<readonly NumberRange[]>(
    (left, [start, end]) =>
      left.flatMap(([from, to]): readonly NumberRange[] => {
        const parts: readonly NumberRange[] = [
          [from, Math.min(to, start - 1)],
          [Math.max(from, end + 1), to],
        ]
        return parts.filter(([first, last]) => first <= last)
      }),
    ranges,
  )

/** Everything after this number. */
export const everythingAfter = (number: number): readonly NumberRange[] =>
  number < LAST_NUMBER ? [[number + 1, LAST_NUMBER]] : []

/** The numbers of `ranges` up to `last`. */
export const clip = (ranges: readonly NumberRange[], last: number): readonly NumberRange[] =>
  subtract(ranges, everythingAfter(last))

export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

export const isIn = (ranges: readonly NumberRange[], number: number): boolean =>
  ranges.some(([from, to]) => from <= number && number <= to)

/** The numbers between the ranges, which are sorted and disjoint. */
export const gapsBetween = (ranges: readonly NumberRange[]): readonly NumberRange[] =>
  RA.zipWith(ranges, ranges.slice(1), ([, end], [from]): NumberRange => [end + 1, from - 1]).filter(
    ([from, to]) => from <= to,
  )

/** At most `count` ranges: those with the smallest gaps between them are joined. */
export const joinNearest = (ranges: readonly NumberRange[], count: number): readonly NumberRange[] => {
  if (ranges.length <= count) return ranges
  const smallest = gapsBetween(ranges).toSorted((one, other) => countOf([one]) - countOf([other]))
  return unite([...ranges, ...smallest.slice(0, ranges.length - count)])
}

/** While ranges are collected; ten times as many as a record has, so that joining them takes little time. */
const MAX_COLLECTED = 10_000

/** Ascending numbers as few ranges; if they are scattered, with others among them. */
export const rangesOf = (numbers: Iterable<number>): readonly NumberRange[] => {
  let ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
    if (ranges.length > MAX_COLLECTED) {
      ranges = joinNearest(ranges, MAX_COLLECTED / 10).map(([from, to]) => [from, to])
    }
  }
  return ranges
}
