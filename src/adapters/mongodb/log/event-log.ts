// The log: the events in the documents of pets, in the order of ids. Also the record of the relay, in one document.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Document } from 'mongodb'
import { unavailable } from '../../../domain/errors.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import type { EventLog, LogHead, LogPage, LogRequest, RelayState } from '../../../ports/event-log.js'
import { ifDuplicateKey } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { decodeAs, decodeEvent, isVoid, makeOrReport, makeOrReportAndThrow, type PetDocument } from '../documents.js'
import type { IdCounter } from '../id-counter.js'
import { makeFinalNumbers, type Step } from './final-numbers.js'
import { makeGaps } from './gaps.js'

/** Documents per step through the part of the log that is not known to be final. */
const SCAN = 5_000

/** Minimum documents per step, so that small pages get past voids and documents whose ids are fractions. */
const MIN_LOOK = 100

export const makeMongoEventLog = (context: StoreContext, counter: IdCounter, createTimeoutMs: number): EventLog => {
  const { database, run, reportDamage, storage, deadlines } = context
  const orReport = makeOrReport(reportDamage)
  const final = makeFinalNumbers(context, makeGaps(database, counter, createTimeoutMs))

  /** Runs one operation of a read, with its own time limit. */
  const done = async <A>(operation: () => Promise<A>): Promise<A> => {
    const result = await run(operation)()
    if (E.isLeft(result)) throw result.left.cause
    return result.right
  }

  /** Finalizes up to `after`, which some process has returned. Waits for creates that hold up later events. */
  const catchUp = async (after: number): Promise<void> => {
    await done(final.saveLast)
    let movedAt = performance.now()
    while (final.last() < after) {
      const from = final.last()
      const { to, missing } = await done(() => final.step({ after: from, limit: SCAN }))
      if (to > from) {
        movedAt = performance.now()
        continue
      }
      const isHeldUp = missing !== undefined && missing <= after
      // a step may itself take as long as an operation may
      if (!isHeldUp || performance.now() - movedAt > 2 * createTimeoutMs + deadlines.operationMs) return
      await sleep(Math.min(100, createTimeoutMs / 4))
    }
  }

  const read = async ({ after, limit }: LogRequest): Promise<LogPage> => {
    if (after > final.last()) await catchUp(after)
    if (after > final.last()) return { events: [], damaged: [], upTo: final.last() }
    const found: PetDocument[] = []
    let upTo = after
    for (let isEnd = false; !isEnd && found.length < limit; ) {
      const wanted = limit - found.length
      const request = { after: upTo, limit: Math.max(wanted, MIN_LOOK) }
      const step: Step = await done(() => final.step(request))
      const documents = step.documents.filter((document) => !isVoid(document)).slice(0, wanted)
      found.push(...documents)
      upTo = documents.length < wanted ? step.to : Number(documents.at(-1)?._id)
      isEnd = step.isEnd
    }
    const numbered = (document: PetDocument) =>
      E.fromOption(() => Number(document._id))(orReport(decodeEvent(document)))
    const { left: damaged, right: events } = RA.partitionMap(numbered)(found)
    return { events, damaged, upTo }
  }

  const head = async (): Promise<LogHead> => {
    const { logId } = await final.saveLast()
    const [drawn, stored] = await Promise.all([counter.last(), counter.highestStored()])
    return { logId, last: Math.max(Number(drawn), Number(stored), final.last()) }
  }

  return {
    storage,
    read: (request) => TE.tryCatch(() => read(request), unavailable),
    head: run(head),
  }
}

const RELAY = 'events'

const decodeRelay = decodeAs('relay record', RelayRecord)

export const makeMongoRelayState = ({ database, run, reportDamage, storage }: StoreContext): RelayState => {
  const relays = database.collection<Document & { readonly _id: string }>('relay')
  const orReportAndThrow = makeOrReportAndThrow(reportDamage)

  const load = async (): Promise<O.Option<RelayRecord>> => {
    // a write that changes nothing, because it is acknowledged only when everything it has read is durable
    const document = await relays.findOneAndUpdate({ _id: RELAY }, { $unset: { unused: '' } })
    return document === null ? O.none : O.some(orReportAndThrow(decodeRelay(document)))
  }

  const save = async (record: RelayRecord): Promise<boolean> => {
    const document = RelayRecord.encode(record)
    const { version } = record
    if (version > 1) return (await relays.replaceOne({ _id: RELAY, version: version - 1 }, document)).matchedCount > 0
    const unused = { _id: RELAY, version: { $exists: false } }
    const added = relays.replaceOne(unused, document, { upsert: true }).then(() => true)
    // false: another record exists
    return added.catch(ifDuplicateKey(() => false))
  }

  return { storage, load: run(load), save: (record) => run(() => save(record)) }
}
