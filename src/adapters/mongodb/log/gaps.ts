// Closes gaps in the log: ids without a document, whose creates may still be running. A placeholder (a void) competes
// with a late pet for the id, and the unique index decides. Only the patience before that depends on time.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Db } from 'mongodb'
import { DURABLE_READ, writeUnlessTaken } from '../connection/commands.js'
import { PETS, voidDocument } from '../documents.js'
import { COUNTER, countersIn, type IdCounter, type NumberRange, skippedIn } from '../id-counter.js'

/** More than the 5 s that a create may take from drawing its id to the end of its insert (see connection.ts). */
export const CREATE_TIMEOUT_MS = 7_000

/** The middle of a longer gap is recorded as skipped ids instead of filled with placeholders. */
const MAX_GAP = 10_000

/**
 * Ids at either end of such a gap that are still closed by voids. Skipped ids do not refuse a late create, so no more
 * than this many consecutive creates, before or after the skipped ids, may take longer than the patience.
 */
const MARGIN = 1_000

/** Voids per command, to stay within the time limit of an operation; enough for both ends of a long gap. */
const MAX_VOIDS = 2 * MARGIN

export const insertVoids = async (database: Db, ids: readonly bigint[]): Promise<readonly bigint[]> => {
  if (ids.length > 0) await writeUnlessTaken(database, { insert: PETS, documents: ids.map(voidDocument) })
  return ids
}

export const gapsBetween = (numbers: readonly number[]): readonly NumberRange[] =>
  RA.zipWith(numbers, numbers.slice(1), (before, after): NumberRange => [before + 1, after - 1]).filter(
    ([from, to]) => from <= to,
  )

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

/** `createTimeoutMs`: time before a drawn id without a pet is given up. */
export const makeGaps = (database: Db, { skip }: Pick<IdCounter, 'skip'>, createTimeoutMs: number) => {
  const counters = countersIn(database)
  // at the time `at`, ids up to `head` had been drawn
  let samples: readonly { readonly head: number; readonly at: number }[] = []
  let skipped: readonly NumberRange[] = []

  /** Reads skipped ids and the head at once, so that all skipped ids up to the head of any sample are known. */
  const sample = async (seen: number): Promise<void> => {
    const stored = await counters.findOne({ _id: COUNTER }, DURABLE_READ)
    skipped = skippedIn(stored)
    const last = Number(stored?.last)
    const head = Math.max(seen, Number.isSafeInteger(last) ? last : 0)
    const at = performance.now()
    const old = samples.findLastIndex((one) => one.at <= at - createTimeoutMs)
    samples = [...samples.slice(Math.max(0, old)), { head, at }]
  }

  return {
    /** The parts of these gaps that are not skipped; the last gap may be open-ended. `seen`: the highest id seen. */
    unexplained: async (gaps: readonly NumberRange[], seen: number): Promise<readonly NumberRange[]> => {
      if (gaps.length === 0) return gaps
      const latest = samples.at(-1)
      if (latest === undefined || performance.now() - latest.at >= Math.min(1_000, createTimeoutMs / 4))
        await sample(seen)
      const left = subtract(gaps, skipped)
      if (JSON.stringify(left) === JSON.stringify(gaps)) return gaps
      // read again, because a failover may have undone skipped ids that were read earlier
      await sample(seen)
      return subtract(gaps, skipped)
    },
    /** Closes gaps whose ids were drawn longer ago than the patience, some per call. Returns whether there were any. */
    close: async (gaps: readonly NumberRange[]): Promise<boolean> => {
      const head = samples.findLast(({ at }) => at <= performance.now() - createTimeoutMs)?.head ?? 0
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
