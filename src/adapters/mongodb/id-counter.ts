// The counter of ids: one document. A majority acknowledges each change before anyone gets an id.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Db, Document } from 'mongodb'
import { Int64, MAX_INT64 } from '../../domain/codecs/int64.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { Damage } from '../../ports/notice.js'
import { dedupe } from './batching/batch.js'
import { ifDuplicateKey } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { petsIn } from './documents/pet-document.js'
import type { NumberRange } from './log/number-ranges.js'

export interface CounterDocument {
  readonly _id: string
  /** The last id that was drawn. */
  readonly last: bigint
  /** Ids from `from` to `to` that nobody drew, because the counter was raised above them. */
  readonly leaps?: readonly { readonly from: unknown; readonly to: unknown }[]
  /** Of earlier versions: a process that relays events has set it, and theirs then queue events. */
  readonly isRelayed?: boolean
}

export const COUNTERS = 'counters'
export const COUNTER = 'pets'

export const countersIn = (database: Db): Collection<CounterDocument> => database.collection(COUNTERS)

/** The leaps that can be decoded; the ids of the others are closed like any that nobody uses. */
export const leapsOf = (counter: Pick<CounterDocument, 'leaps'> | null): readonly NumberRange[] =>
  (counter?.leaps ?? []).flatMap(({ from, to }): readonly NumberRange[] => {
    const leap = [Number(from), Number(to)] as const
    return leap.every(Number.isSafeInteger) && leap[0] <= leap[1] ? [leap] : []
  })

/** The last id that was drawn; 0 without a counter. */
export const decodeLast = (counter: CounterDocument | null, max: bigint): E.Either<Damage, bigint> => {
  const last = counter === null ? E.right(0n) : Int64.decode(counter.last)
  if (E.isRight(last) && last.right >= 0n && last.right <= max) return last
  const reason = `the last id is not an integer from 0: ${String(counter?.last)}`
  return E.left({ record: 'id counter', id: COUNTER, reason })
}

/** Beyond it the oldest leaps are forgotten. Their ids are then closed one by one, or recorded again. */
const MAX_LEAPS = 100

/** Raises the counter, and records atomically with it which ids below `to` nobody has drawn or will draw. */
const raising = (to: bigint): Document[] => {
  const leap = { from: { $add: ['$last', 1n] }, to: to - 1n }
  const leaps = { $slice: [{ $concatArrays: [{ $ifNull: ['$leaps', []] }, [leap]] }, -MAX_LEAPS] }
  return [{ $set: { leaps, last: to } }]
}

export const makeIdCounter = ({ database, reportDamage }: Pick<StoreContext, 'database' | 'reportDamage'>) => {
  const counters = countersIn(database)
  const pets = petsIn(database)

  const lastOf = (counter: CounterDocument | null): bigint => {
    const last = decodeLast(counter, MAX_INT64)
    if (E.isRight(last)) return last.right
    reportDamage(last.left)
    throw new Error(last.left.reason)
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
    // another instance may create it first
    await counters.updateOne({ _id: COUNTER }, update, { upsert: true }).catch(ifDuplicateKey(null))
  }

  /** A damaged counter stays as it is, and is reported. */
  const raiseAbove = (last: bigint) => counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last } })

  /**
   * Adds to the counter; none if it is missing, not a number, or would pass the largest id. Uses the client's write concern, a
   * majority: otherwise ids drawn on an isolated primary could be inserted through its successor, whose counter is behind, and
   * later pets would get smaller ids.
   */
  const advance = (count: number): Promise<CounterDocument | null> =>
    counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lte: MAX_PET_ID - BigInt(count) } },
      { $inc: { last: BigInt(count) } },
      { returnDocument: 'after' },
    )

  /** Draws ascending ids; fewer than requested only at the end of the range. */
  const take = async (wanted: number): Promise<readonly bigint[]> => {
    for (let count = wanted; count > 0; ) {
      const advanced = await advance(count)
      if (advanced !== null) {
        const first = lastOf(advanced) - BigInt(count - 1)
        const leapt = BigInt(Math.max(0, ...leapsOf(advanced).map(([, to]) => to)))
        if (first > leapt) return Array.from({ length: count }, (_, at) => first + BigInt(at))
        // the counter was set back: readers of the log have passed these ids, and no document refuses them
        await raiseAbove(leapt + 1n)
        continue
      }
      const counter = await counters.findOne({ _id: COUNTER })
      if (counter === null) await resume()
      else count = Math.min(count, Number(MAX_PET_ID - lastOf(counter)))
    }
    return []
  }

  const raiseAboveStoredIds = dedupe(
    () => COUNTER,
    async () => {
      await raiseAbove(await highestStored())
    },
    { concurrency: 1 },
  )

  /** Raises the counter to an id that was drawn elsewhere, and makes it if it is lost. Returns the last id before; none if it is not raised. */
  const raiseTo = async (last: bigint): Promise<O.Option<bigint>> => {
    if (last === 0n) return O.none
    const lower = { _id: COUNTER, last: { $gte: 0n, $lt: last } }
    const before = await counters.findOneAndUpdate(lower, raising(last), { returnDocument: 'before' })
    if (before !== null) return O.some(lastOf(before))
    if ((await counters.findOne({ _id: COUNTER })) !== null) return O.none
    await resume()
    return raiseTo(last)
  }

  return {
    take,
    /** The last id that was drawn; 0 if the counter is lost. */
    last: async () => lastOf(await counters.findOne({ _id: COUNTER })),
    highestStored,
    /** Raises the counter above every stored pet, so that no id below a stored one is drawn. */
    raiseAboveStoredIds: () => raiseAboveStoredIds(undefined),
    raiseTo,
    /** Records, at the end of their patience, ids that nobody has used. */
    recordLeaps: async (leaps: readonly NumberRange[]): Promise<void> => {
      await resume()
      const stored = leaps.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }))
      await counters.updateOne({ _id: COUNTER }, { $push: { leaps: { $each: stored, $slice: -MAX_LEAPS } } })
    },
  }
}

export type IdCounter = ReturnType<typeof makeIdCounter>
