// Finds how far the log is final: every id up to there has a durable document or is skipped.
import { randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { memberOf } from '../../../domain/thrown.js'
import type { LogRequest } from '../../../ports/event-log.js'
import { dedupe } from '../batch.js'
import { DURABLE_READ, ifDuplicateKey, readDocuments } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { EVENT_MEMBERS, type PetDocument, petsIn } from '../documents.js'
import { COUNTERS } from '../id-counter.js'
import { type Gaps, gapsBetween } from './gaps.js'

/** Attempts per step: a second one after gaps were closed, more if the server restarts meanwhile. */
const MAX_LOOKS = 4

/** Concurrent steps of readers at different positions. */
const MAX_STEPS = 8

/** Interval of saves on a replica set. Other processes start from the saved number and check the rest again. */
const SAVE_INTERVAL_MS = 1_000

/** One document for all instances, in the collection of counters. */
export interface LogDocument {
  readonly _id: string
  /** A lower bound: everything up to this id was final at some time. */
  readonly last: bigint
  readonly logId: string
}

/**
 * Records that everything up to this id is final, unless a higher one is recorded. Creates and returns the document.
 * Waits for a majority, so a deposed primary cannot acknowledge it.
 */
export const saveEnd = async (database: Db, last: bigint): Promise<LogDocument> => {
  const update = { $max: { last }, $setOnInsert: { logId: randomUUID() } }
  const log = await database
    .collection<LogDocument>(COUNTERS)
    .findOneAndUpdate({ _id: 'log' }, update, { upsert: true, returnDocument: 'after' })
    .catch(ifDuplicateKey(() => null))
  // another process created it at the same time
  return log ?? saveEnd(database, last)
}

const askServer = async (database: Db) => {
  const hello = await database.command({ hello: 1 })
  const processId = memberOf(hello['topologyVersion'], 'processId')
  return {
    // changes with each restart
    processId: processId === undefined ? undefined : JSON.stringify(processId),
    // if so, a crash cannot undo what a majority read returns
    isReplicated: hello['setName'] !== undefined || hello['msg'] === 'isdbgrid',
  }
}

/** Whether the log can tell what is durable on this server. If not, no read of new events succeeds. */
export const tellsDurability = async (database: Db): Promise<boolean> => {
  const { isReplicated, processId } = await askServer(database)
  return isReplicated || processId !== undefined
}

export interface Step {
  /** How far the log is final; the start of the step if nothing more is. */
  readonly to: number
  /** The documents up to there whose ids are integers; those of other programs need not be. */
  readonly documents: readonly PetDocument[]
  /** Whether nothing after `to` is final yet. */
  readonly isEnd: boolean
  /** The first missing id before later documents, if any; its create may be in progress. */
  readonly missing: number | undefined
}

export const makeFinalNumbers = ({ database, batching }: Pick<StoreContext, 'database' | 'batching'>, gaps: Gaps) => {
  const pets = petsIn(database)
  let last = 0
  let savedAt = Number.NEGATIVE_INFINITY
  let server: Awaited<ReturnType<typeof askServer>> | undefined

  /** Exchanges the last final number with other processes, so that later reads see everything that any has returned. */
  const saveLast = async (): Promise<LogDocument> => {
    const log = await saveEnd(database, BigInt(last))
    savedAt = performance.now()
    if (Number.isSafeInteger(Number(log.last))) last = Math.max(last, Number(log.last))
    return log
  }

  /**
   * Whether everything read since `before` is durable. A server without a replica set returns data not yet in its
   * journal; if the same server process then acknowledges a journaled write, everything read before is in the journal.
   */
  const isDurable = async (before: NonNullable<typeof server>): Promise<boolean> => {
    if (before.isReplicated) {
      if (performance.now() - savedAt >= SAVE_INTERVAL_MS) await saveLast()
      return true
    }
    await saveLast()
    server = await askServer(database)
    return server.processId !== undefined && server.processId === before.processId
  }

  /** `after`: at most the last final number. */
  const takeStep = async ({ after, limit }: LogRequest): Promise<Step> => {
    const order = { sort: { _id: 1 }, limit, batchSize: limit + 1 } as const
    const options = { ...DURABLE_READ, ...order, projection: EVENT_MEMBERS }
    let hasClosed = false
    for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
      server ??= await askServer(database)
      const before = server
      const documents = await readDocuments(pets, { _id: { $gt: BigInt(after), $lte: MAX_PET_ID } }, options)
      const numbers = documents.map(({ _id }) => Number(_id)).filter(Number.isSafeInteger)
      // only fractions found: look further
      if (numbers.length === 0 && documents.length === limit) return takeStep({ after, limit: 2 * limit })
      const ends = documents.length === limit ? [] : [Number.POSITIVE_INFINITY]
      const seen = numbers.at(-1) ?? after
      // also in the final part, because someone may have deleted a document
      const open = await gaps.unexplained(gapsBetween([after, ...numbers, ...ends]), seen)
      if (!hasClosed && (await gaps.close(open))) {
        hasClosed = true
        continue
      }
      const missing = open[0]?.[0] ?? Number.POSITIVE_INFINITY
      // also in the final part, because a newly elected primary may show less than its predecessor; always the number
      // of a document, because a lost counter resumes above it
      const to = numbers.findLast((number) => number < missing) ?? after
      if (to > last && !(await isDurable(before))) continue
      last = Math.max(last, to)
      return {
        to,
        documents: documents.filter(({ _id }) => Number.isSafeInteger(Number(_id)) && Number(_id) <= to),
        isEnd: open.length > 0 || to === after,
        missing: to < seen ? missing : undefined,
      }
    }
    throw new Error('the server does not tell that its process is still the same')
  }

  /** Reads on from a final number and closes gaps. Callers at the same number share one read. */
  const step = dedupe(({ after }) => String(after), takeStep, { concurrency: MAX_STEPS, ...batching('log.read') })

  /** `last`: the last final number known to this process. */
  return { last: () => last, step, saveLast }
}
