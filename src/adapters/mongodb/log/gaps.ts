// Gaps in the log: ids without a document. Their creates are under way, or will never come; no clock can tell which. So a gap is
// closed by documents under its ids, and the unique ids decide between them and a late pet. Only patience depends on time.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Db } from 'mongodb'
import { DURABLE_READ, writeUnlessTaken } from '../connection/commands.js'
import { PETS, voidDocument } from '../documents.js'
import { COUNTER, countersIn, type IdCounter, type NumberRange, skippedIn } from '../id-counter.js'

/** More than a create may take from its id to the end of its insert, which is 5 s (see connection.ts). */
export const PATIENCE_MS = 7_000

/** Of a longer gap, the middle is recorded as skipped ids after the patience. */
const MAX_GAP = 10_000

/**
 * Ids at either end of such a gap that are closed by voids all the same. A late create is not refused between them. So there must
 * not be more successive creates under way that last longer than the patience: before the first skipped id, or after the last one.
 */
const MARGIN = 1_000

/** Voids per command, so that it ends within the time limit of an operation; enough for both ends of a long gap. */
const MAX_VOIDS = 2 * MARGIN

/** Closes ids that no pet has. Where a document is, it stays. */
export const insertVoids = async (database: Db, ids: readonly bigint[]): Promise<readonly bigint[]> => {
  if (ids.length > 0) await writeUnlessTaken(database, { insert: PETS, documents: ids.map(voidDocument) })
  return ids
}

/** The gaps between ascending numbers. */
export const gapsBetween = (numbers: readonly number[]): readonly NumberRange[] =>
  RA.zipWith(numbers, numbers.slice(1), (before, after): NumberRange => [before + 1, after - 1]).filter(
    ([from, to]) => from <= to,
  )

/** The numbers of `ranges` that are not in `removed`. */
const subtract = (ranges: readonly NumberRange[], removed: readonly NumberRange[]): readonly NumberRange[] => {
  const without = ([from, to]: NumberRange, [start, end]: NumberRange): readonly NumberRange[] => [
    [from, Math.min(to, start - 1)],
    [Math.max(from, end + 1), to],
  ]
  return removed.reduce(
    (left, gone) => left.flatMap((range) => without(range, gone)).filter(([from, to]) => from <= to),
    ranges,
  )
}

const idsOf = (ranges: readonly NumberRange[], count: number): readonly bigint[] => {
  const ids: bigint[] = []
  for (const [from, to] of ranges) for (let id = from; id <= to && ids.length < count; id += 1) ids.push(BigInt(id))
  return ids
}

/** `patienceMs`: before an id that was drawn and has no pet is given up. */
export const makeGaps = (database: Db, { skip }: Pick<IdCounter, 'skip'>, patienceMs: number) => {
  const counters = countersIn(database)
  // up to `head`, ids had been drawn at `at`
  let samples: readonly { readonly head: number; readonly at: number }[] = []
  let skipped: readonly NumberRange[] = []

  /** Reads skipped ids together with the head, so that all of them up to the head of any sample are known. */
  const sample = async (seen: number): Promise<void> => {
    const stored = await counters.findOne({ _id: COUNTER }, DURABLE_READ)
    skipped = skippedIn(stored)
    const last = Number(stored?.last)
    const head = Math.max(seen, Number.isSafeInteger(last) ? last : 0)
    const at = performance.now()
    const old = samples.findLastIndex((one) => one.at <= at - patienceMs)
    samples = [...samples.slice(Math.max(0, old)), { head, at }]
  }

  return {
    /** The gaps that are not skipped ids, of these; the last one may be open. `seen`: the highest id that was seen. */
    unexplained: async (gaps: readonly NumberRange[], seen: number): Promise<readonly NumberRange[]> => {
      if (gaps.length === 0) return gaps
      const latest = samples.at(-1)
      if (latest === undefined || performance.now() - latest.at >= Math.min(1_000, patienceMs / 4)) await sample(seen)
      const left = subtract(gaps, skipped)
      if (JSON.stringify(left) === JSON.stringify(gaps)) return gaps
      // a failure may have taken back skipped ids that were read before this step of the caller
      await sample(seen)
      return subtract(gaps, skipped)
    },
    /** Closes some of the gaps whose ids were drawn long ago. Returns whether there were any. */
    close: async (gaps: readonly NumberRange[]): Promise<boolean> => {
      const head = samples.findLast(({ at }) => at <= performance.now() - patienceMs)?.head ?? 0
      const closed = gaps.filter(([from]) => from <= head).map(([from, to]): NumberRange => [from, Math.min(to, head)])
      if (closed.length === 0) return false
      const long = closed.filter(([from, to]) => to - from >= MAX_GAP)
      const middles = long.map(([from, to]): NumberRange => [from + MARGIN, to - MARGIN])
      if (middles.length > 0) {
        await skip(middles)
        skipped = [...skipped, ...middles]
      }
      await insertVoids(database, idsOf(subtract(closed, middles), MAX_VOIDS))
      return true
    },
  }
}

export type Gaps = ReturnType<typeof makeGaps>
