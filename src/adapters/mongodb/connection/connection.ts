// The connection to the database: nothing waits forever, and an acknowledged write survives a crash. Opens in the background, however
// long it takes, and runs operations within a bounded time.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import {
  type BSONSerializeOptions,
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoServerSelectionError,
} from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import type { Notify, ReportDamage } from '../../../ports/notice.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { StoreOperation } from '../../../ports/store.js'
import type { BatchSettings } from '../batch.js'
import { failedCall, repeatTransient } from './commands.js'
import { type PoolName, watchAvailability, whyNotWritable } from './monitor.js'

/** How long a store waits before it gives up, in milliseconds. Parameters, because only their own tests may depend on a busy machine. */
export const DEADLINES = {
  /** A request runs at most four operations, and must end within 5 s. */
  operationMs: 1_200,
  /** For an operation that starts before the database is open. */
  openingMs: 2_500,
  /** For an exact count; the database, too, cancels it after this time. */
  countMs: 3_500,
}
export type Deadlines = Readonly<typeof DEADLINES>

/** After a deadline, until the driver gives up too. Only this ends commands that the database accepted but never replies to; its `timeoutMS` does not. */
const MARGIN_MS = 300

const optionsFor = ({ operationMs, countMs }: Deadlines): Readonly<Record<PoolName, MongoClientOptions>> => ({
  requests: { socketTimeoutMS: operationMs + MARGIN_MS, minPoolSize: 2, maxPoolSize: 32, retryReads: true },
  // exact counts scan an index: two at once, on connections that no other request uses
  counts: { socketTimeoutMS: countMs + MARGIN_MS, minPoolSize: 0, maxPoolSize: 2, retryReads: false },
  // for commands that take long, such as building an index: a reply that is lost must not hold up an instance for good, and a
  // repeated command joins an index build that is still under way
  maintenance: { socketTimeoutMS: 600_000, minPoolSize: 0, maxPoolSize: 2, retryReads: true },
})

/** What the decoding of documents relies on. All of them, because the URI may set any; a new one does not compile until it is here. */
const BSON_OPTIONS: Required<BSONSerializeOptions> = {
  // the commands of the driver itself need numbers
  useBigInt64: false,
  promoteLongs: true,
  promoteValues: true,
  promoteBuffers: false,
  bsonRegExp: false,
  fieldsAsRaw: {},
  raw: false,
  enableUtf8Validation: true,
  serializeFunctions: false,
  ignoreUndefined: false,
  checkKeys: false,
}

/** A database on a client of its own, which connects when it is opened. Throws if the URI is malformed. */
export const makeDatabase = (uri: string, pool: PoolName, deadlines: Deadlines = DEADLINES, isMeasured = false) => {
  const client = new MongoClient(uri, {
    appName: 'animal-store',
    ...BSON_OPTIONS,
    // a read sees everything that was acknowledged before it
    readPreference: 'primary',
    connectTimeoutMS: deadlines.operationMs + MARGIN_MS,
    serverSelectionTimeoutMS: deadlines.openingMs + MARGIN_MS,
    waitQueueTimeoutMS: deadlines.openingMs + MARGIN_MS,
    // detects an outage, and its end, within about a second
    heartbeatFrequencyMS: 500,
    monitorCommands: isMeasured,
    ...optionsFor(deadlines)[pool],
  })
  const database = client.db(undefined, {
    // int64 becomes a bigint; int32 and double stay numbers
    useBigInt64: true,
    // an acknowledged write is in the journal of a majority: to one of the client, the driver adds the URI's `journal` and time limit
    writeConcern: { w: 'majority', journal: true },
  })
  let connecting: Promise<unknown> | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    try {
      await client.connect()
    } catch (error) {
      // after a failed first connect, only close() and connect() revive the client
      await client.close()
      connecting = undefined
      const found = error instanceof MongoServerSelectionError ? error.reason : undefined
      if (found === undefined || found.error !== null) throw error
      throw new Error(whyNotWritable(client, [...found.servers.values()]), { cause: error })
    }
  }

  return {
    client,
    database,
    /** Connects if necessary. Rejects if it cannot; the next call tries again. */
    open: async (): Promise<Db> => {
      if (isClosed) throw new Error('the store is closed')
      connecting ??= connect()
      await connecting
      return database
    },
    close: async (): Promise<void> => {
      isClosed = true
      await client.close()
    },
  }
}

export type Database = ReturnType<typeof makeDatabase>

const OPENING_PAUSE_MS = 500

/** What each part of a store works with. */
export interface StoreContext extends OfStorage, Pick<ReturnType<typeof openConnection>, 'database' | 'run'> {
  readonly reportDamage: ReportDamage
  readonly deadlines: Deadlines
  /** How long the calls of an operation wait to be sent, and who receives the sizes of their batches. */
  readonly batching: (operation: StoreOperation) => Pick<BatchSettings, 'timeoutMs' | 'observe'>
}

const within = <A>(timeoutMs: number, work: Promise<A>, whyNoReply: () => string): Promise<E.Either<Unavailable, A>> =>
  new Promise((resolve) => {
    const failed = (cause: unknown): void => resolve(E.left(failedCall(cause)))
    const tooLate = (): void => failed(new Error(`the database did not answer within ${timeoutMs} ms${whyNoReply()}`))
    const timer = setTimeout(tooLate, timeoutMs)
    work.then((result) => resolve(E.right(result)), failed).finally(() => clearTimeout(timer))
  })

/** Opens a database, and prepares it before its first operation. Never fails because it is unavailable. */
export const openConnection = (
  { client, database, open, close }: Database,
  prepare: (database: Db) => Promise<void>,
  notify: Notify,
  { operationMs, openingMs }: Deadlines,
) => {
  const closing = new AbortController()
  const availability = watchAvailability(client, notify, closing.signal)

  // operations wait for this: the first attempt, then the latest one that has ended
  let opened = open().then(prepare)
  let isOpen = false

  const follow = async (): Promise<void> => {
    for (let latest = opened; ; latest = open().then(prepare)) {
      const [result] = await Promise.allSettled([latest])
      opened = latest
      isOpen = result.status === 'fulfilled'
      if (result.status === 'fulfilled') {
        availability.opened()
        return
      }
      availability.failed(result.reason)
      // rejects only when it is aborted
      await sleep(OPENING_PAUSE_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
    }
  }
  const following = follow()

  return {
    database,
    /** Runs an operation within a time limit, and repeats it after transient errors. It must be safe to repeat. */
    run:
      <A>(operation: () => Promise<A>, timeoutMs = operationMs): TaskEither<Unavailable, A> =>
      () => {
        const limitMs = isOpen ? timeoutMs : Math.max(openingMs, timeoutMs)
        const end = performance.now() + limitMs
        const work = opened.then(() => {
          // its caller has given up: preparing the database may have taken minutes
          if (performance.now() >= end) throw new Error('the database was not open in time')
          return repeatTransient(operation, timeoutMs)
        })
        return within(limitMs, work, availability.whyNoReply)
      },
    close: async (): Promise<void> => {
      closing.abort()
      await close()
      await following
    },
  }
}
