// The counter of ids: one document. A majority acknowledges each change before anyone gets an id.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Collection, Document } from 'mongodb'
import { Int64 } from '../../domain/codecs/int64.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import { shareEqual } from './batching/share-equal.js'
import { OPERATION_TIMEOUT_MS } from './connection/connection.js'
import { isDuplicateKey } from './connection/duplicate-key.js'
import { COUNTER, type CounterDocument, leapsOf } from './documents/counter-document.js'
import type { PetDocument } from './documents/pet-document.js'

export interface IdCounter {
  /** Draws ascending ids; fewer than requested only at the end of the range. */
  readonly take: (wanted: number) => Promise<readonly bigint[]>
  /** The last id that was drawn; 0 if the counter is lost. */
  readonly last: Task<bigint>
  readonly highestStored: Task<bigint>
  /** Raises the counter above every stored pet, so that no id below a stored one is drawn. */
  readonly raiseAboveStoredIds: Task<void>
  /** Raises the counter to an id that was drawn elsewhere, and makes it if it is lost. Returns the last id before; none if it is not raised. */
  readonly raiseTo: (last: bigint) => Promise<O.Option<bigint>>
  /** Records, at the end of their patience, ids that nobody has used. */
  readonly recordLeaps: (leaps: readonly (readonly [from: number, to: number])[]) => Promise<void>
}

export interface IdCounterSettings {
  readonly counters: Collection<CounterDocument>
  readonly pets: Collection<PetDocument>
  readonly reportDamage: ReportDamage
}

interface Advanced {
  readonly last: bigint
  /** The last id that a leap has skipped. */
  readonly leapt: bigint
}

/** Beyond it the oldest leaps are forgotten. Their ids are then closed one by one, or recorded again. */
const MAX_LEAPS = 100

/** Raises the counter, and records atomically with it which ids below `to` nobody has drawn or will draw. */
const raising = (to: bigint): readonly Document[] => {
  const leap = { from: { $add: ['$last', 1n] }, to: to - 1n }
  const leaps = { $slice: [{ $concatArrays: [{ $ifNull: ['$leaps', []] }, [leap]] }, -MAX_LEAPS] }
  return [{ $set: { leaps, last: to } }]
}

export const makeIdCounter = ({ counters, pets, reportDamage }: IdCounterSettings): IdCounter => {
  const lastFrom = (last: unknown): bigint => {
    const value = Int64.decode(last)
    if (E.isRight(value) && value.right >= 0n) return value.right
    const reason = `the last id is not an integer from 0: ${String(last)}`
    reportDamage({ record: 'id counter', id: COUNTER, reason })
    throw new Error(reason)
  }

  /**
   * The counter after adding to it; none if it is missing, not a number, or would pass the largest id. Uses the client's write
   * concern, a majority: otherwise ids drawn on an isolated primary could be inserted through its successor, whose counter is
   * behind, and later pets would get smaller ids.
   */
  const advance = async (count: number): Promise<O.Option<Advanced>> => {
    const counter = await counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lte: MAX_PET_ID - BigInt(count) } },
      { $inc: { last: BigInt(count) } },
      { returnDocument: 'after' },
    )
    if (counter === null) return O.none
    return O.some({ last: lastFrom(counter.last), leapt: BigInt(Math.max(0, ...leapsOf(counter).map(([, to]) => to))) })
  }

  const highestStored = async (): Promise<bigint> => {
    const highest = await pets.findOne(
      { _id: { $gte: 0n, $lte: MAX_PET_ID } },
      { projection: { _id: 1 }, sort: { _id: -1 } },
    )
    // another program may have stored a fraction; up to the largest id a double is exact
    return highest === null ? 0n : BigInt(Math.ceil(Number(highest._id)))
  }

  /** Recreates a lost counter, which resumes above the highest stored id. An existing one keeps its value. */
  const resume = async (): Promise<void> => {
    const update = { $setOnInsert: { last: await highestStored() } }
    try {
      await counters.updateOne({ _id: COUNTER }, update, { upsert: true })
    } catch (error) {
      // another instance created it first
      if (!isDuplicateKey(error)) throw error
    }
  }

  const raiseAboveStoredIds = shareEqual(
    () => COUNTER,
    async () => {
      // a damaged counter stays as it is, and is reported
      await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last: await highestStored() } })
    },
    { concurrency: 1, concurrencyPerKey: 1, timeoutMs: OPERATION_TIMEOUT_MS },
  )

  const raiseTo: IdCounter['raiseTo'] = async (last) => {
    if (last === 0n) return O.none
    const before = await counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lt: last } },
      [...raising(last)],
      {
        returnDocument: 'before',
      },
    )
    if (before !== null) return O.some(lastFrom(before.last))
    if ((await counters.findOne({ _id: COUNTER })) !== null) return O.none
    await resume()
    return raiseTo(last)
  }

  return {
    take: async (wanted) => {
      for (let count = wanted; count > 0; ) {
        const advanced = await advance(count)
        if (O.isSome(advanced)) {
          const { last, leapt } = advanced.value
          const first = last - BigInt(count - 1)
          if (first > leapt) return Array.from({ length: count }, (_, at) => first + BigInt(at))
          // the counter was set back: readers of the log have passed these ids, and no document refuses them
          await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last: leapt + 1n } })
          continue
        }
        const counter = await counters.findOne({ _id: COUNTER })
        if (counter === null) await resume()
        else count = Math.min(count, Number(MAX_PET_ID - lastFrom(counter.last)))
      }
      return []
    },
    last: async () => {
      const counter = await counters.findOne({ _id: COUNTER })
      return counter === null ? 0n : lastFrom(counter.last)
    },
    highestStored,
    raiseAboveStoredIds: () => raiseAboveStoredIds(undefined),
    raiseTo,
    recordLeaps: async (leaps) => {
      await resume()
      const stored = leaps.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }))
      await counters.updateOne({ _id: COUNTER }, { $push: { leaps: { $each: stored, $slice: -MAX_LEAPS } } })
    },
  }
}
