// Gaps in the log: ids without a document. Their creates are under way, or will never come; no clock can tell which. So a gap is
// closed by documents under its ids, and the unique ids decide between them and a late pet. Only patience depends on time.
import type { Db } from 'mongodb'
import { DURABLE_READ, writeUnlessTaken } from '../connection/commands.js'
import { PETS, voidDocument } from '../documents/pet-document.js'
import { COUNTER, countersIn, type IdCounter, leapsOf } from '../id-counter.js'
import { clip, type NumberRange, subtract } from './number-ranges.js'

/** More than a create may take from its id to the end of its insert, which is 5 s (see connection.ts). */
export const PATIENCE_MS = 7_000

/** Of a longer gap, the middle is recorded as a leap after the patience. */
const MAX_GAP = 10_000

/**
 * Ids at either end of such a gap that are closed by voids all the same. A late create is not refused in a leap. So there must not be
 * more successive creates under way that last longer than the patience: before the first leap, or after the last one.
 */
const MARGIN = 1_000

/** Voids per command, so that it ends within the time limit of an operation; enough for both ends of a long gap. */
const MAX_VOIDS = 2 * MARGIN

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
      if (gaps.length === 0) return gaps
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
      const long = closed.filter(([from, to]) => to - from >= MAX_GAP).slice(0, MAX_LEAPS_PER_STEP)
      const skipped = long.map(([from, to]): NumberRange => [from + MARGIN, to - MARGIN])
      if (skipped.length > 0) {
        await recordLeaps(skipped)
        leaps = [...leaps, ...skipped]
      }
      await insertVoids(database, idsOf(subtract(closed, skipped), MAX_VOIDS))
      return true
    },
  }
}

export type Gaps = ReturnType<typeof makeGaps>
