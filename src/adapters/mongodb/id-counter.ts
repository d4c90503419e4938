// Ids from a counter, which is one document. A majority acknowledges each change before anyone gets an id.
import * as E from 'fp-ts/lib/Either.js'
import type { Collection, Db } from 'mongodb'
import { Int64, MAX_INT64 } from '../../domain/codecs/scalar.js'
import { MAX_PET_ID, type PetId } from '../../domain/pets/pet.js'
import type { Damage } from '../../ports/notice.js'
import { batch, type SharedLimit } from './batch.js'
import { ifDuplicateKey } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { PET_IDS, petsIn, soundOrThrow } from './documents.js'

export interface CounterDocument {
  readonly _id: string
  /** The last id that was drawn. */
  readonly last: bigint
  /** Skipped ids, from `from` to `to`: where no pet is, none will ever be, and no reader of the log waits for one. */
  readonly skipped?: readonly { readonly from: unknown; readonly to: unknown }[]
}

/** The numbers from the first to the second, both included. */
export type NumberRange = readonly [from: number, to: number]

export const COUNTERS = 'counters'
export const COUNTER = 'pets'

export const countersIn = (database: Db): Collection<CounterDocument> => database.collection(COUNTERS)

/** The skipped ids that can be decoded; the others are closed like any that nobody uses. */
export const skippedIn = (counter: CounterDocument | null): readonly NumberRange[] =>
  (counter?.skipped ?? []).flatMap(({ from, to }): readonly NumberRange[] => {
    const range = [Number(from), Number(to)] as const
    return range.every(Number.isSafeInteger) && range[0] <= range[1] ? [range] : []
  })

/** The last id that was drawn; 0 without a counter. */
export const decodeLast = (counter: CounterDocument | null, max: bigint): E.Either<Damage, bigint> => {
  const last = counter === null ? E.right(0n) : Int64.decode(counter.last)
  if (E.isRight(last) && last.right >= 0n && last.right <= max) return last
  const reason = `the last id is not an integer from 0: ${String(counter?.last)}`
  return E.left({ record: 'id counter', id: COUNTER, reason })
}

/** Maximum time that a create waits for the inserts of others; most take less. */
const PATIENCE_MS = 5

export const makeIdCounter = ({ database, reportDamage }: Pick<StoreContext, 'database' | 'reportDamage'>) => {
  const counters = countersIn(database)
  const pets = petsIn(database)
  const sound = soundOrThrow(reportDamage)

  const lastOf = (counter: CounterDocument | null): bigint => sound(decodeLast(counter, MAX_INT64))

  const highestStored = async (): Promise<bigint> => {
    const highest = await pets.findOne({ _id: PET_IDS }, { projection: { _id: 1 }, sort: { _id: -1 } })
    // another program may have stored a fraction; up to the largest id a double is exact
    return highest === null ? 0n : BigInt(Math.ceil(Number(highest._id)))
  }

  /** Recreates a lost counter, which resumes above the highest stored id. An existing one keeps its value. */
  const resume = async (): Promise<void> => {
    const update = { $setOnInsert: { last: await highestStored() } }
    // another instance may create it first
    await counters.updateOne({ _id: COUNTER }, update, { upsert: true }).catch(ifDuplicateKey(() => null))
  }

  /** A damaged counter stays as it is, and is reported. */
  const raiseAbove = async (last: bigint): Promise<void> => {
    await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last } })
  }

  /**
   * Adds to the counter; none if it is missing, not a number, or would pass the largest id. A majority acknowledges it: ids that were drawn
   * on an isolated primary could otherwise be greater than those of later pets.
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
          // the counter was set back: readers of the log have passed these ids, and no document refuses them
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
    /** So that no id below that of a stored pet is drawn. */
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

/** `inserts` of pets: while some are in flight, more creates gather, and 32 take a fifth less CPU each (measured). */
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
    // one at a time: a caller that arrives during an allocation may have seen pets with greater ids than that allocation returns
    { concurrency: 1, patienceMs: PATIENCE_MS, limit: inserts, maxItems: 1_000, ...batching('ids.next') },
  )
  return async () => {
    const id = await next(undefined)
    if (id === undefined) throw new Error('there are no more ids')
    return id
  }
}
