// Sets of ids, as sorted, disjoint ranges: gaps in the log, and the ids that nobody drew.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'

/** The numbers from the first to the second, both included. */
export type NumberRange = readonly [from: number, to: number]

/** The end of a range that is open: no event has a greater number. */
export const LAST_NUMBER = Number.MAX_SAFE_INTEGER

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

/** The numbers of `ranges` up to `last`. */
export const clip = (ranges: readonly NumberRange[], last: number): readonly NumberRange[] =>
  last < LAST_NUMBER ? subtract(ranges, [[last + 1, LAST_NUMBER]]) : ranges

/** The numbers between the ranges, which are sorted and disjoint. */
export const gapsBetween = (ranges: readonly NumberRange[]): readonly NumberRange[] =>
  RA.zipWith(ranges, ranges.slice(1), ([, end], [from]): NumberRange => [end + 1, from - 1]).filter(
    ([from, to]) => from <= to,
  )
