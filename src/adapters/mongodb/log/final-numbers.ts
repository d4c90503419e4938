// How far the log is final: every id up to there has a durable document, or is a skipped id.
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

/** Looks per step: a second one after gaps were closed, and more if the server was restarted meanwhile. */
const MAX_LOOKS = 4

/** At a time, of readers at different positions. */
const MAX_STEPS = 8

/** Between two saves on a replica set. Other processes start from what is saved, and check the rest again. */
const SAVE_INTERVAL_MS = 1_000

/** Shared by all instances, in the collection of counters. */
export interface LogDocument {
  readonly _id: string
  /** Everything up to this id was final at some time. Later ids may be final, too. */
  readonly last: bigint
  readonly logId: string
}

/**
 * Saves that everything up to this id is final, unless more is saved. Returns the document of the log, which exists from then on. A
 * majority acknowledges the call, and a primary that was deposed cannot.
 */
export const saveEnd = async (database: Db, last: bigint): Promise<LogDocument> => {
  const update = { $max: { last }, $setOnInsert: { logId: randomUUID() } }
  const log = await database
    .collection<LogDocument>(COUNTERS)
    .findOneAndUpdate({ _id: 'log' }, update, { upsert: true, returnDocument: 'after' })
    .catch(ifDuplicateKey(() => null))
  // another process has created it at the same time
  return log ?? saveEnd(database, last)
}

export interface Step {
  /** How far the log is final; where it began, if nothing more is. */
  readonly to: number
  /** The documents up to there. Their ids are integers: those of other programs need not be. */
  readonly documents: readonly PetDocument[]
  /** Whether nothing after it is final yet. */
  readonly isEnd: boolean
  /** The id that is missing before later documents, if there is one: its create may be under way. */
  readonly missing: number | undefined
}

export const makeFinalNumbers = ({ database, batching }: Pick<StoreContext, 'database' | 'batching'>, gaps: Gaps) => {
  const pets = petsIn(database)
  let last = 0
  let savedAt = Number.NEGATIVE_INFINITY
  let server: Awaited<ReturnType<typeof askServer>> | undefined

  /** Saves what was final before this call. So reads that follow see everything that any process has given out before. */
  const saveLast = async (): Promise<LogDocument> => {
    const log = await saveEnd(database, BigInt(last))
    savedAt = performance.now()
    if (Number.isSafeInteger(Number(log.last))) last = Math.max(last, Number(log.last))
    return log
  }

  const askServer = async () => {
    const hello = await database.command({ hello: 1 })
    return {
      // a restart changes it; without it, the server may have been restarted
      processId: JSON.stringify(memberOf(hello['topologyVersion'], 'processId') ?? randomUUID()),
      // a majority read then returns nothing that a crash can take back
      isReplicated: hello['setName'] !== undefined || hello['msg'] === 'isdbgrid',
    }
  }

  /**
   * Whether what was read since `before` was asked is durable. Without a replica set, a server serves what is not yet in its journal: a
   * journaled write that the same process acknowledges has the data that were read before it in the journal.
   */
  const isDurable = async (before: NonNullable<typeof server>): Promise<boolean> => {
    if (before.isReplicated) {
      if (performance.now() - savedAt >= SAVE_INTERVAL_MS) await saveLast()
      return true
    }
    await saveLast()
    server = await askServer()
    return server.processId === before.processId
  }

  /** `after`: at most the last final number. */
  const takeStep = async ({ after, limit }: LogRequest): Promise<Step> => {
    const order = { sort: { _id: 1 }, limit, batchSize: limit + 1 } as const
    const options = { ...DURABLE_READ, ...order, projection: EVENT_MEMBERS }
    let hasClosed = false
    for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
      server ??= await askServer()
      const before = server
      const documents = await readDocuments(pets, { _id: { $gt: BigInt(after), $lte: MAX_PET_ID } }, options)
      const numbers = documents.map(({ _id }) => Number(_id)).filter(Number.isSafeInteger)
      // nothing but fractions: as far as the next id
      if (numbers.length === 0 && documents.length === limit) return takeStep({ after, limit: 2 * limit })
      const ends = documents.length === limit ? [] : [Number.POSITIVE_INFINITY]
      const seen = numbers.at(-1) ?? after
      // also of what is final: someone may have deleted a document
      const open = await gaps.unexplained(gapsBetween([after, ...numbers, ...ends]), seen)
      if (!hasClosed && (await gaps.close(open))) {
        hasClosed = true
        continue
      }
      const missing = open[0]?.[0] ?? Number.POSITIVE_INFINITY
      // also of what is final, because a primary that was just elected may show less than its predecessor did; always the number of a
      // document, because a counter that is lost resumes above it
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

  /** Reads what follows a number that is final, and closes gaps. Callers that continue at the same number share one read. */
  const step = dedupe(({ after }) => String(after), takeStep, { concurrency: MAX_STEPS, ...batching('log.read') })

  /** `last`: the last final number that this process knows of. */
  return { last: () => last, step, saveLast }
}
