// How far the log is final: every id up to there has a durable document, or a leap explains that it has none.
import { randomUUID } from 'node:crypto'
import type { Collection, Db, ObjectId } from 'mongodb'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { shareEqual } from '../batching/batch.js'
import { DURABLE_READ, ifDuplicateKey, readDocuments } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { EVENT_MEMBERS, type PetDocument, petsIn } from '../documents/pet-document.js'
import { COUNTERS } from '../id-counter.js'
import { type Gaps, gapsIn } from './gaps.js'

/** Looks per step: a second one after gaps were closed, and more if the server was restarted meanwhile. */
const MAX_LOOKS = 4

/** Between two saves on a replica set. Other processes start from what is saved, and check the rest again. */
const SAVE_INTERVAL_MS = 1_000

/** Shared by all instances, in the collection of counters, and valid there for earlier versions too. */
export interface LogDocument {
  readonly _id: string
  /** Everything up to this id was final at some time. Later ids may be final, too. */
  readonly last: bigint
  readonly logId: string
  /** Whether a search for unsent events of earlier versions has found none. */
  readonly isNew?: boolean
}

export const LOG = 'log'

export const logsIn = (database: Db): Collection<LogDocument> => database.collection(COUNTERS)

export interface Step {
  /** Where the log was final before, and where it is now. */
  readonly from: number
  readonly to: number
  /** The documents between the two, unless only their ids were read. */
  readonly documents: readonly PetDocument[]
  /** Whether nothing after it is final yet. */
  readonly isEnd: boolean
  /** The id that is missing before later documents, if there is one: its create may be under way. */
  readonly missing: number | undefined
}

export interface StepRequest {
  /** Maximum number of documents. */
  readonly limit: number
  /** Whether to read only ids, which the index holds. */
  readonly onlyIds: boolean
}

interface Hello {
  readonly topologyVersion?: { readonly processId: ObjectId }
  readonly setName?: string
  readonly msg?: string
}

interface Server {
  /** Differs between processes of the server: a restart changes it. */
  readonly processId: string
  /** Whether a majority read returns nothing that a crash can take back. */
  readonly isReplicated: boolean
}

/** Other programs may have stored fractions. */
const numbersOf = (documents: readonly PetDocument[]): readonly number[] =>
  documents.map(({ _id }) => Number(_id)).filter((number) => Number.isSafeInteger(number))

export const makeFinalNumbers = ({ database, observe }: Pick<StoreContext, 'database' | 'observe'>, gaps: Gaps) => {
  const pets = petsIn(database)
  const logs = logsIn(database)
  let last = 0
  let savedAt = Number.NEGATIVE_INFINITY
  let server: Server | undefined

  /**
   * Saves what was final before this call. Returns the document of the log, which exists from then on. A majority acknowledges the
   * call, and a primary that was deposed cannot. So reads that follow see everything that any process has given out before.
   */
  const touch = async (): Promise<LogDocument> => {
    const update = { $max: { last: BigInt(last) }, $setOnInsert: { logId: randomUUID() } }
    const log = await logs
      .findOneAndUpdate({ _id: LOG }, update, { upsert: true, returnDocument: 'after' })
      .catch(ifDuplicateKey(null))
    // another process has created it at the same time
    if (log === null) return touch()
    savedAt = performance.now()
    if (Number.isSafeInteger(Number(log.last))) last = Math.max(last, Number(log.last))
    return log
  }

  const askServer = async (): Promise<Server> => {
    const { topologyVersion, setName, msg }: Hello = await database.command({ hello: 1 })
    // without the id of its process, the server may have been restarted
    const processId = String(topologyVersion?.processId ?? randomUUID())
    return { processId, isReplicated: setName !== undefined || msg === 'isdbgrid' }
  }

  /**
   * Whether what was read since `before` was asked is durable. A server without a replica set serves what is not yet in its journal,
   * and loses it in a crash. A journaled write that is acknowledged by the same process of the server has the read data before it in
   * the journal.
   */
  const isDurable = async (before: Server): Promise<boolean> => {
    if (before.isReplicated) {
      if (performance.now() - savedAt >= SAVE_INTERVAL_MS) await touch()
      return true
    }
    await touch()
    server = await askServer()
    return server.processId === before.processId
  }

  const look = (
    after: bigint | number,
    upTo: bigint | number,
    { limit, onlyIds }: StepRequest,
  ): Promise<readonly PetDocument[]> => {
    const filter = { _id: { $gt: after, $lte: upTo } } as { readonly _id: { readonly $gt: bigint } }
    const projection = onlyIds ? { _id: 1 } : EVENT_MEMBERS
    const options = { ...DURABLE_READ, projection, sort: { _id: 1 }, limit, batchSize: limit + 1 } as const
    return readDocuments(pets, filter, options)
  }

  /** The gaps that no leap explains, the first id in them, and how far the documents after a number leave none. */
  const survey = async (after: number, documents: readonly PetDocument[], isEnd: boolean) => {
    const numbers = numbersOf(documents)
    const seen = numbers.at(-1) ?? after
    const found = gapsIn(after, numbers, isEnd)
    const open = found.length === 0 ? found : await gaps.unexplained(found, seen)
    const missing = open[0]?.[0] ?? Number.POSITIVE_INFINITY
    // always the number of a document: a counter that is lost resumes above it
    return { open, seen, missing, to: numbers.findLast((number) => number < missing) ?? after }
  }

  /**
   * Reads again what is known to be final, after an id and up to the last such number. It is `to` how far the documents leave no
   * gap: a primary that was just elected may show less than its predecessor did.
   */
  const readAgain = async (after: bigint | number, limit: number): Promise<Omit<Step, 'missing'>> => {
    const documents = await look(after, last, { limit, onlyIds: false })
    const from = Math.floor(Number(after))
    const { open, to } = await survey(from, documents, false)
    // someone may have deleted a document
    await gaps.close(open)
    return { from, to, documents: documents.filter(({ _id }) => Number(_id) <= to), isEnd: false }
  }

  /** Reads beyond the last final number, and closes gaps. */
  const step = async (request: StepRequest): Promise<Step> => {
    let hasClosed = false
    for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
      const from = last
      server ??= await askServer()
      const before = server
      const documents = await look(from, MAX_PET_ID, request)
      const { open, seen, missing, to } = await survey(from, documents, documents.length < request.limit)
      if (!hasClosed && (await gaps.close(open))) {
        hasClosed = true
        continue
      }
      if (to > from && !(await isDurable(before))) continue
      last = Math.max(last, to)
      return {
        from,
        to,
        documents: documents.filter(({ _id }) => Number(_id) <= to),
        isEnd: open.length > 0,
        missing: to < seen ? missing : undefined,
      }
    }
    throw new Error('the server does not tell that its process is still the same')
  }

  const advance = shareEqual(({ onlyIds }) => String(onlyIds), step, { concurrency: 1, observe: observe('log.read') })

  /** `last`: the last final number that this process knows of. */
  return { last: () => last, advance, readAgain, touch }
}
