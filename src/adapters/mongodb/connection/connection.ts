// The connection to the database. Opens in the background, retrying for as long as needed, and runs each operation
// within a time limit. Acknowledged writes survive a crash.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type BSONSerializeOptions, type Db, type MongoClientOptions, MongoServerSelectionError } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import type { Notify, ReportDamage } from '../../../ports/notice.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { StoreOperation } from '../../../ports/store.js'
import type { BatchSettings } from '../batch.js'
import { makeClient } from './client.js'
import { failedCall, repeatTransient } from './commands.js'
import { type PoolName, watchAvailability, whyNotWritable } from './monitor.js'

/** Time limits in milliseconds. Parameters, so that only the tests of the limits depend on the speed of the machine. */
export const DEADLINES = {
  /** A request runs at most four operations and must end within 5 s. */
  operationMs: 1_200,
  /** For an operation that starts before the database is open. */
  openingMs: 2_500,
  /** For an exact count; the database also cancels it after this time. */
  countMs: 3_500,
}
export type Deadlines = Readonly<typeof DEADLINES>

/** The driver gives up this long after a deadline. Its `timeoutMS` would not end commands that never get a reply. */
const MARGIN_MS = 300

const optionsFor = ({ operationMs, countMs }: Deadlines): Readonly<Record<PoolName, MongoClientOptions>> => ({
  requests: { socketTimeoutMS: operationMs + MARGIN_MS, minPoolSize: 2, maxPoolSize: 32, retryReads: true },
  // exact counts scan an index: at most two at once, on separate connections
  counts: { socketTimeoutMS: countMs + MARGIN_MS, minPoolSize: 0, maxPoolSize: 2, retryReads: false },
  // for commands that may take hours, such as building an index: a server may abort a build whose client has gone, and
  // it would never end. A server or a connection that is lost ends them: heartbeats and TCP's keep-alive notice it
  maintenance: { socketTimeoutMS: 0, minPoolSize: 0, maxPoolSize: 2, retryReads: true },
})

/** Fixes every option, because the URI could set any and decoding relies on these. `Required` catches new ones. */
const BSON_OPTIONS: Required<BSONSerializeOptions> = {
  // the driver's own commands need numbers
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

/** A database with a separate client, which connects when it is opened. Throws if the URI is malformed. */
export const makeDatabase = (uri: string, pool: PoolName, deadlines: Deadlines = DEADLINES, isMeasured = false) => {
  const client = makeClient(uri, {
    appName: 'animal-store',
    ...BSON_OPTIONS,
    // so that a read sees everything that was acknowledged before it
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
    // set here, because the driver would add the URI's `journal` and time limit to a write concern of the client
    writeConcern: { w: 'majority', journal: true },
  })
  let connecting: Promise<unknown> | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    try {
      await client.connect()
    } catch (error) {
      // after a failed first connect, the client must be closed before it can connect again
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
    /** Connects if necessary. If this rejects, the next call tries again. */
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

/** Shared by the parts of a store. */
export interface StoreContext extends OfStorage, Pick<ReturnType<typeof openConnection>, 'database' | 'run'> {
  readonly reportDamage: ReportDamage
  readonly deadlines: Deadlines
  /** Settings for batching the calls of an operation. */
  readonly batching: (operation: StoreOperation) => Pick<BatchSettings, 'timeoutMs' | 'observe'>
}

const within = <A>(timeoutMs: number, work: Promise<A>, whyNoReply: () => string): Promise<E.Either<Unavailable, A>> =>
  new Promise((resolve) => {
    const failed = (cause: unknown): void => resolve(E.left(failedCall(cause)))
    const tooLate = (): void => failed(new Error(`the database did not answer within ${timeoutMs} ms${whyNoReply()}`))
    const timer = setTimeout(tooLate, timeoutMs)
    work.then((result) => resolve(E.right(result)), failed).finally(() => clearTimeout(timer))
  })

/** Opens a database and prepares it before the first operation; retries until the database is available. */
export const openConnection = (
  { client, database, open, close }: Database,
  prepare: (database: Db) => Promise<void>,
  notify: Notify,
  { operationMs, openingMs }: Deadlines,
) => {
  const closing = new AbortController()
  const availability = watchAvailability(client, notify, closing.signal)

  // operations wait for this: the first attempt, later the last one that has ended
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
          // preparing the database may have taken minutes, and the caller has given up
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
