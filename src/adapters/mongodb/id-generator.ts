// Ids from one counter document; all that ask while an allocation is under way share the next.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection } from 'mongodb'
import { Int64 } from '../../domain/int64.js'
import { MAX_PET_ID } from '../../domain/pet.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import { batch } from './batching/batch.js'
import { OPERATION_TIMEOUT_MS, type Run } from './connection.js'
import { isDuplicateKey } from './duplicate-key.js'
import type { PetDocument } from './pet-document.js'

export interface CounterDocument {
  readonly _id: string
  /** The last id that was given. */
  readonly last: bigint
}

export interface MongoIdGeneratorSettings {
  readonly counters: Collection<CounterDocument>
  readonly pets: Collection<PetDocument>
  readonly run: Run
  readonly reportDamage: ReportDamage
}

const COUNTER = 'pets'

export const makeMongoIdGenerator = ({ counters, pets, run, reportDamage }: MongoIdGeneratorSettings): IdGenerator => {
  const lastFrom = (last: unknown): bigint => {
    const value = Int64.decode(last)
    if (E.isRight(value) && value.right >= 0n) return value.right
    const reason = `the last id is no integer from 0: ${String(last)}`
    reportDamage({ record: 'id counter', id: COUNTER, reason })
    throw new Error(reason)
  }

  /** Adds to the counter and gives its new value; nothing if it is missing, no number, or would pass the last id. */
  const advance = async (count: number): Promise<O.Option<bigint>> => {
    const counter = await counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lte: MAX_PET_ID - BigInt(count) } },
      { $inc: { last: BigInt(count) } },
      // no wait for the journal or a majority: the log orders it before the insert of its ids, which waits for both
      { returnDocument: 'after', writeConcern: { w: 1 } },
    )
    return counter === null ? O.none : O.some(lastFrom(counter.last))
  }

  /** A lost counter resumes above the highest stored id; of several that find it lost, the first sets it. */
  const resume = async (): Promise<void> => {
    // another hand may have written a fraction; up to the last id a number is exact
    const highest = await pets.findOne(
      { _id: { $gte: 0n, $lte: MAX_PET_ID } },
      { projection: { _id: 1 }, sort: { _id: -1 } },
    )
    try {
      await counters.insertOne({ _id: COUNTER, last: highest === null ? 0n : BigInt(Math.ceil(Number(highest._id))) })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }

  /** Ascending ids, fewer than wanted only at the very end. */
  const allocate = async (wanted: number): Promise<readonly bigint[]> => {
    for (let count = wanted; count > 0; ) {
      const last = await advance(count)
      if (O.isSome(last)) return Array.from({ length: count }, (_, at) => last.value - BigInt(count - 1 - at))
      const counter = await counters.findOne({ _id: COUNTER })
      if (counter === null) await resume()
      else count = Math.min(count, Number(MAX_PET_ID - lastFrom(counter.last)))
    }
    return []
  }

  // one at a time: whoever asks while an allocation is under way may have seen pets that it does not know
  const take = batch(
    async (callers: readonly undefined[]) => {
      const ids = await allocate(callers.length)
      return callers.map((_, at) => O.fromNullable(ids[at]))
    },
    { concurrency: 1, maxItems: 1_000, timeoutMs: OPERATION_TIMEOUT_MS },
  )

  return {
    next: run(async () => {
      const id = await take(undefined)
      if (O.isNone(id)) throw new Error('the last id is given')
      return id.value
    }),
  }
}
