// Draws ids from a counter document. A majority acknowledges each change before anyone gets an id.
import * as E from 'fp-ts/lib/Either.js'
import type { Collection, Db } from 'mongodb'
import { Int64, MAX_INT64 } from '../../domain/codecs/scalar.js'
import { MAX_PET_ID, type PetId } from '../../domain/pets/pet.js'
import type { Damage } from '../../ports/notice.js'
import { batch, type SharedLimit } from './batch.js'
import { ifDuplicateKey } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { makeOrReportAndThrow, PET_IDS, petsIn } from './documents.js'

export interface CounterDocument {
  readonly _id: string
  /** The last id drawn. */
  readonly last: bigint
  /** Ranges, `from` and `to` included, that will get no further pets; readers of the log do not wait for them. */
  readonly skipped?: readonly { readonly from: unknown; readonly to: unknown }[]
}

/** Both ends are included. */
export type NumberRange = readonly [from: number, to: number]

export const COUNTERS = 'counters'
export const COUNTER = 'pets'

export const countersIn = (database: Db): Collection<CounterDocument> => database.collection(COUNTERS)

/** Ranges that can be decoded; ids of others are closed like any unused id. */
export const skippedIn = (counter: CounterDocument | null): readonly NumberRange[] =>
  (counter?.skipped ?? []).flatMap(({ from, to }): readonly NumberRange[] => {
    const range = [Number(from), Number(to)] as const
    return range.every(Number.isSafeInteger) && range[0] <= range[1] ? [range] : []
  })

/** The last id drawn; 0 without a counter. */
export const decodeLast = (counter: CounterDocument | null, max: bigint): E.Either<Damage, bigint> => {
  const last = counter === null ? E.right(0n) : Int64.decode(counter.last)
  if (E.isRight(last) && last.right >= 0n && last.right <= max) return last
  const reason = `the last id is not an integer from 0: ${String(counter?.last)}`
  return E.left({ record: 'id counter', id: COUNTER, reason })
}

/** Maximum time that a create waits for other inserts; most take less. */
const GATHER_MS = 5

export const makeIdCounter = ({ database, reportDamage }: Pick<StoreContext, 'database' | 'reportDamage'>) => {
  const counters = countersIn(database)
  const pets = petsIn(database)
  const orReportAndThrow = makeOrReportAndThrow(reportDamage)

  const lastOf = (counter: CounterDocument | null): bigint => orReportAndThrow(decodeLast(counter, MAX_INT64))

  const highestStored = async (): Promise<bigint> => {
    const highest = await pets.findOne({ _id: PET_IDS }, { projection: { _id: 1 }, sort: { _id: -1 } })
    // another program may have stored a fraction; doubles are exact up to the largest id
    return highest === null ? 0n : BigInt(Math.ceil(Number(highest._id)))
  }

  /** Recreates a missing counter above the highest stored id. An existing one keeps its value. */
  const resume = async (): Promise<void> => {
    const update = { $setOnInsert: { last: await highestStored() } }
    // another instance may create it first
    await counters.updateOne({ _id: COUNTER }, update, { upsert: true }).catch(ifDuplicateKey(() => null))
  }

  /** Leaves a damaged counter unchanged. */
  const raiseAbove = async (last: bigint): Promise<void> => {
    await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last } })
  }

  /**
   * Adds to the counter; null if it is missing, not a number, or would pass the largest id. Waits for a majority: ids
   * drawn on an isolated primary could be greater than those of later pets.
   */
  const advance = (count: number): Promise<CounterDocument | null> =>
    counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lte: MAX_PET_ID - BigInt(count) } },
      { $inc: { last: BigInt(count) } },
      { returnDocument: 'after' },
    )

  return {
    /** Draws ascending ids; fewer than requested only at the end of the range. */
    take: async (wanted: number): Promise<readonly bigint[]> => {
      for (let count = wanted; count > 0; ) {
        const advanced = await advance(count)
        if (advanced !== null) {
          const first = lastOf(advanced) - BigInt(count - 1)
          const skipped = BigInt(Math.max(0, ...skippedIn(advanced).map(([, to]) => to)))
          if (first > skipped) return Array.from({ length: count }, (_, at) => first + BigInt(at))
          // the counter was set back: these ids are skipped, so readers of the log have passed them
          await raiseAbove(skipped + 1n)
          continue
        }
        const counter = await counters.findOne({ _id: COUNTER })
        if (counter === null) await resume()
        else count = Math.min(count, Number(MAX_PET_ID - lastOf(counter)))
      }
      return []
    },
    last: async () => lastOf(await counters.findOne({ _id: COUNTER })),
    highestStored,
    /** Raises the counter, so that all ids drawn are above those of stored pets. */
    raiseAboveStoredIds: async () => raiseAbove(await highestStored()),
    /** Records ids that nobody will use, and raises the counter to `last`. Safe to repeat. */
    skip: async (ranges: readonly NumberRange[], last = 0n): Promise<void> => {
      await resume()
      const $each = ranges.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }))
      await counters.updateOne(
        { _id: COUNTER, last: { $gte: 0n } },
        { $max: { last }, $addToSet: { skipped: { $each } } },
      )
    },
  }
}

export type IdCounter = ReturnType<typeof makeIdCounter>

/** Waits while `inserts` of pets are in flight, to draw more ids at once: 32 creates take 20 % less CPU (measured). */
export const makeIdDrawing = (
  { batching }: Pick<StoreContext, 'batching'>,
  { take }: Pick<IdCounter, 'take'>,
  inserts: SharedLimit,
): (() => Promise<PetId>) => {
  const next = batch<undefined, bigint | undefined>(
    async (callers) => {
      const ids = await take(callers.length)
      return callers.map((_, at) => ids[at])
    },
    // one at a time: a caller that arrives during a draw may have seen a pet whose id is greater than those drawn
    { concurrency: 1, gatherMs: GATHER_MS, limit: inserts, maxItems: 1_000, ...batching('ids.next') },
  )
  return async () => {
    const id = await next(undefined)
    if (id === undefined) throw new Error('there are no more ids')
    return id
  }
}
