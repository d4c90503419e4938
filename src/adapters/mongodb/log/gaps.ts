// Gaps in the log: ids without a document. Their creates are under way, or will never come; no clock can tell which. So a gap is
// closed by documents under its ids, and the unique ids decide between them and a late pet. Only patience depends on time.
import type { Db } from 'mongodb'
import { clip, LAST_NUMBER, type NumberRange, subtract } from '../../../domain/events/number-ranges.js'
import { DURABLE_READ, writeUnlessTaken } from '../connection/commands.js'
import { PETS, voidDocument } from '../documents/pet-document.js'
import { COUNTER, countersIn, type IdCounter, leapsOf } from '../id-counter.js'

/** More than a create may take from its id to the end of its insert, which is 5 s (see connection.ts). */
export const PATIENCE_MS = 7_000

/** Voids per command, so that it ends within the time limit of an operation. */
const MAX_VOIDS = 500

/**
 * A longer gap is recorded as a leap after the patience. That step alone trusts the clock: a create that is later still would not be
 * refused. But no number of instances has so many successive creates under way.
 */
const MAX_GAP = 10_000

/** Fewer than the counter can hold. */
const MAX_LEAPS_PER_STEP = 50

/** Closes ids that no pet has, and returns them. Where a document is, it stays. */
export const insertVoids = async (database: Db, ids: readonly bigint[]): Promise<readonly bigint[]> => {
  if (ids.length > 0) await writeUnlessTaken(database, { insert: PETS, documents: ids.map(voidDocument) })
  return ids
}

interface Sample {
  /** Ids up to here had been drawn. */
  readonly head: number
  readonly at: number
}

const idsOf = (ranges: readonly NumberRange[], count: number): readonly bigint[] => {
  const ids: bigint[] = []
  for (const [from, to] of ranges) for (let id = from; id <= to && ids.length < count; id += 1) ids.push(BigInt(id))
  return ids
}

/** `patienceMs`: before an id that was drawn and has no pet is given up. */
export const makeGaps = (database: Db, { recordLeaps }: Pick<IdCounter, 'recordLeaps'>, patienceMs: number) => {
  const counters = countersIn(database)
  const pauseMs = Math.min(1_000, patienceMs / 4)
  let samples: readonly Sample[] = []
  let leaps: readonly NumberRange[] = []

  /** Reads leaps together with the head, so that all leaps up to the head of any sample are known. */
  const sample = async (seen: number): Promise<void> => {
    const stored = await counters.findOne({ _id: COUNTER }, DURABLE_READ)
    leaps = leapsOf(stored)
    const last = Number(stored?.last)
    const head = Math.max(seen, Number.isSafeInteger(last) ? last : 0)
    const at = performance.now()
    const ripe = samples.findLastIndex((one) => one.at <= at - patienceMs)
    samples = [...samples.slice(Math.max(0, ripe)), { head, at }]
  }

  return {
    /** The gaps that no leap explains, of these; the last one may be open. `seen`: the highest id that was seen. */
    unexplained: async (gaps: readonly NumberRange[], seen: number): Promise<readonly NumberRange[]> => {
      const latest = samples.at(-1)
      if (latest === undefined || performance.now() - latest.at >= pauseMs) await sample(seen)
      const left = subtract(gaps, leaps)
      if (JSON.stringify(left) === JSON.stringify(gaps)) return gaps
      // a failure may have taken back a leap that was read before this step of the caller
      await sample(seen)
      return subtract(gaps, leaps)
    },
    /** Closes some of the gaps whose ids were drawn long ago. Returns whether there were any. */
    close: async (gaps: readonly NumberRange[]): Promise<boolean> => {
      const ripe = samples.findLast(({ at }) => at <= performance.now() - patienceMs)
      const closed = clip(gaps, ripe?.head ?? 0)
      if (closed.length === 0) return false
      const isLong = ([from, to]: NumberRange): boolean => to - from >= MAX_GAP
      const long = closed.filter(isLong).slice(0, MAX_LEAPS_PER_STEP)
      const rest = closed.filter((gap) => !isLong(gap))
      if (long.length > 0) {
        const recorded = long.map(([from, to]): NumberRange => [from, to - 1])
        await recordLeaps(recorded)
        leaps = [...leaps, ...recorded]
      }
      // the end of a leap is a document, so that a counter that is lost resumes above it
      await insertVoids(database, [...long.map(([, to]) => BigInt(to)), ...idsOf(rest, MAX_VOIDS)])
      return true
    },
  }
}

export type Gaps = ReturnType<typeof makeGaps>

/** The ids after `after` that are not in the ascending numbers; `isEnd`: nothing follows them. */
export const gapsIn = (after: number, numbers: readonly number[], isEnd: boolean): readonly NumberRange[] => {
  const gaps: NumberRange[] = []
  let last = after
  for (const number of numbers) {
    if (number > last + 1) gaps.push([last + 1, number - 1])
    last = number
  }
  return isEnd && last < LAST_NUMBER ? [...gaps, [last + 1, LAST_NUMBER]] : gaps
}
