// The log: the events of the documents of pets, in the order of their ids.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import { unavailable } from '../../../domain/errors.js'
import type { DomainEvent } from '../../../domain/events/domain-event.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { EventLog, LogHead, LogPage, LogRequest } from '../../../ports/event-log.js'
import type { OfStorage } from '../../../ports/storage.js'
import { type BatchObserver, observeCalls } from '../batching/observe-calls.js'
import type { Run } from '../connection/connection.js'
import { decodeEvent, type PetDocument } from '../documents/pet-document.js'
import { isVoid } from '../documents/void-document.js'
import type { IdCounter } from '../id-counter.js'
import { makeFinalNumbers, type Step, type StepRequest } from './final-numbers.js'
import { makeGaps } from './gaps.js'

/** Ids per step through data that no process has read yet. */
const SCAN = 5_000

/** So that a small page gets over voids, and over documents of other programs whose ids are fractions. */
const MIN_LOOK = 100

export interface MongoEventLogSettings extends OfStorage {
  readonly database: Db
  readonly counter: Pick<IdCounter, 'last' | 'highestStored' | 'recordLeaps'>
  readonly run: Run
  /** Milliseconds before an id that was drawn and has no pet is given up. */
  readonly patienceMs: number
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

export const makeMongoEventLog = (settings: MongoEventLogSettings): EventLog => {
  const { database, counter, run, patienceMs, reportDamage, observer, storage } = settings
  const gaps = makeGaps({ database, counter, patienceMs })
  const final = makeFinalNumbers({ database, gaps, observe: observeCalls(observer, 'log.read') })
  let isOpen = false

  /** One operation, with a time limit of its own. */
  const done = async <A>(operation: () => Promise<A>): Promise<A> => {
    const outcome = await run(operation)()
    if (E.isLeft(outcome)) throw outcome.left.cause
    return outcome.right
  }
  const advance = (request: StepRequest): Promise<Step> => done(() => final.advance(request))
  const readAgain: typeof final.readAgain = (after, limit) => done(() => final.readAgain(after, limit))

  /** Gets up to a number that is final for other processes, or was the head. Waits for creates that hold up later events. */
  const catchUp = async (after: number): Promise<void> => {
    await done(final.touch)
    let movedAt = performance.now()
    while (final.last() < after) {
      const { from, to, missing } = await advance({ limit: SCAN, onlyIds: true })
      if (to > from) {
        movedAt = performance.now()
        continue
      }
      const isHeldUp = missing !== undefined && missing <= after
      if (!isHeldUp || performance.now() - movedAt > 2 * patienceMs) return
      await sleep(Math.min(100, patienceMs / 4))
    }
  }

  const pageOf = (documents: readonly PetDocument[], upTo: number): LogPage => {
    const events: DomainEvent[] = []
    const damaged: number[] = []
    for (const document of documents) {
      const event = decodeEvent(document)
      if (E.isRight(event)) events.push(event.right)
      else {
        reportDamage(event.left)
        const number = Number(document._id)
        if (Number.isSafeInteger(number)) damaged.push(number)
      }
    }
    return { events, damaged, upTo }
  }

  const read = async ({ after, limit }: LogRequest): Promise<LogPage> => {
    if (!isOpen) {
      await done(final.touch)
      isOpen = true
    }
    if (after > final.last()) await catchUp(after)
    if (after > final.last()) return { events: [], damaged: [], upTo: final.last() }
    const found: PetDocument[] = []
    let position: bigint | number = after
    while (found.length < limit) {
      const wanted = limit - found.length
      if (Number(position) < final.last()) {
        const { to, documents } = await readAgain(position, Math.max(wanted, MIN_LOOK))
        if (to === Math.floor(Number(position))) break
        const sound = documents.filter((document) => !isVoid(document)).slice(0, wanted)
        found.push(...sound)
        position = sound.length < wanted ? to : (sound.at(-1)?._id ?? to)
        continue
      }
      const step = await advance({ limit: Math.max(wanted, MIN_LOOK), onlyIds: false })
      // others may have gone on meanwhile
      if (step.from !== Number(position)) continue
      if (step.to === step.from) break
      const documents = step.documents.filter((document) => !isVoid(document)).slice(0, wanted)
      found.push(...documents)
      position = documents.length < wanted ? step.to : (documents.at(-1)?._id ?? step.to)
      if (step.isEnd) break
    }
    return pageOf(found, Math.floor(Number(position)))
  }

  const head = async (): Promise<LogHead> => {
    const { logId } = await final.touch()
    const [drawn, stored] = await Promise.all([counter.last(), counter.highestStored()])
    return { logId, last: Math.max(Number(drawn), Number(stored), final.last()) }
  }

  return {
    storage,
    read: (request) => TE.tryCatch(() => read(request), unavailable),
    head: run(head),
  }
}
