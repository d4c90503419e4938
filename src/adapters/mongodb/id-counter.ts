// The counter of ids: one document. A majority acknowledges each change before anyone gets an id.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Collection } from 'mongodb'
import { Int64 } from '../../domain/codecs/int64.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import { shareEqual } from './batching/share-equal.js'
import { OPERATION_TIMEOUT_MS } from './connection/connection.js'
import { isDuplicateKey } from './connection/duplicate-key.js'
import { COUNTER, type CounterDocument } from './documents/counter-document.js'
import type { PetDocument } from './documents/pet-document.js'
import type { EventQueuing } from './outbox/event-queuing.js'

export interface IdCounter {
  /** Draws ascending ids; fewer than requested only at the end of the range. */
  readonly take: (wanted: number) => Promise<readonly bigint[]>
  /** Raises the counter above every stored pet, so that no id below a stored one is drawn. */
  readonly passStoredIds: Task<void>
  /** Raises the counter to an id that was drawn elsewhere, and makes it if it is lost. */
  readonly raiseTo: (last: bigint) => Promise<void>
  /** Marks the store as relayed for every instance. */
  readonly markRelayed: Task<void>
}

export interface IdCounterSettings {
  readonly counters: Collection<CounterDocument>
  readonly pets: Collection<PetDocument>
  readonly queuing: Pick<EventQueuing, 'see' | 'isKnown'>
  /** Whether any event of the store was ever sent. */
  readonly hasSent: Task<boolean>
  readonly reportDamage: ReportDamage
}

/** Every instance that knows of a relay sets the mark with each allocation, so that the mark survives a lost counter. */
const RELAYED = { isRelayed: true } as const

export const makeIdCounter = ({ counters, pets, queuing, hasSent, reportDamage }: IdCounterSettings): IdCounter => {
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
  const advance = async (count: number): Promise<O.Option<bigint>> => {
    const counter = await counters.findOneAndUpdate(
      { _id: COUNTER, last: { $gte: 0n, $lte: MAX_PET_ID - BigInt(count) } },
      queuing.isKnown() ? { $inc: { last: BigInt(count) }, $set: RELAYED } : { $inc: { last: BigInt(count) } },
      { returnDocument: 'after' },
    )
    if (counter === null) return O.none
    queuing.see(counter)
    return O.some(lastFrom(counter.last))
  }

  const highestStored = async (): Promise<bigint> => {
    const highest = await pets.findOne(
      { _id: { $gte: 0n, $lte: MAX_PET_ID } },
      { projection: { _id: 1 }, sort: { _id: -1 } },
    )
    // another program may have stored a fraction; up to the largest id a double is exact
    return highest === null ? 0n : BigInt(Math.ceil(Number(highest._id)))
  }

  const hasUnsent = async (): Promise<boolean> =>
    (await pets.findOne({ 'unsent.parked': { $exists: true } }, { projection: { _id: 1 } })) !== null

  /** Recreates a lost counter, which resumes above the highest stored id. An existing one keeps its value. */
  const resume = async (marksRelayed: boolean): Promise<void> => {
    const onInsert = { $setOnInsert: { last: await highestStored() } }
    const update = marksRelayed ? { ...onInsert, $set: RELAYED } : onInsert
    const write = () => counters.updateOne({ _id: COUNTER }, update, { upsert: true })
    try {
      await write()
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      // another instance created it first
      await write()
    }
  }

  const passStoredIds = shareEqual(
    () => COUNTER,
    async () => {
      // a damaged counter stays as it is, and is reported
      await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last: await highestStored() } })
    },
    { concurrency: 1, concurrencyPerKey: 1, timeoutMs: OPERATION_TIMEOUT_MS },
  )

  return {
    take: async (wanted) => {
      for (let count = wanted; count > 0; ) {
        const last = await advance(count)
        if (O.isSome(last)) return Array.from({ length: count }, (_, at) => last.value - BigInt(count - 1 - at))
        const counter = await counters.findOne({ _id: COUNTER })
        // the mark is lost with the counter, but unsent or sent events show that there was one
        if (counter === null) await resume(queuing.isKnown() || (await hasUnsent()) || (await hasSent()))
        else count = Math.min(count, Number(MAX_PET_ID - lastFrom(counter.last)))
      }
      return []
    },
    passStoredIds: () => passStoredIds(undefined),
    raiseTo: async (last) => {
      const raised = await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last } })
      if (raised.matchedCount > 0 || (await counters.findOne({ _id: COUNTER })) !== null) return
      await resume(false)
      await counters.updateOne({ _id: COUNTER, last: { $gte: 0n } }, { $max: { last } })
    },
    markRelayed: () => resume(true),
  }
}
