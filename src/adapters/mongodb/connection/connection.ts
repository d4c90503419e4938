// Opens the database in the background, however long it takes, and runs operations within a bounded time.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { Notify, ReportDamage } from '../../../ports/notice.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { StoreOperation } from '../../../ports/store.js'
import { makeClient, REQUESTS } from './client.js'
import { repeatTransient } from './commands.js'
import { type Monitor, watchAvailability } from './monitor.js'

/** A request runs at most four operations, and must end within 5 s. */
export const OPERATION_TIMEOUT_MS = 1_200
/** For an operation that starts before the database is open. */
const OPENING_TIMEOUT_MS = 2_500
/** Between two attempts to open the database. */
const OPENING_PAUSE_MS = 500

export interface Connection {
  readonly database: Db
  /** Runs an operation within a time limit, and repeats it after transient errors. It must be safe to repeat. */
  readonly run: <A>(operation: () => Promise<A>, timeoutMs?: number) => TaskEither<Unavailable, A>
  readonly close: Task<void>
}

/** What each part of a store works with. */
export interface StoreContext extends OfStorage, Pick<Connection, 'database' | 'run'> {
  readonly reportDamage: ReportDamage
  /** Who receives the sizes of batches of calls, if anyone does. */
  readonly observe: (operation: StoreOperation) => ((calls: number) => void) | undefined
}

const within = <A>(timeoutMs: number, work: Promise<A>, whyNoReply: () => string): Promise<E.Either<Unavailable, A>> =>
  new Promise((resolve) => {
    const failed = (cause: unknown): void => resolve(E.left(unavailable(cause)))
    const tooLate = (): void => failed(new Error(`the database did not answer within ${timeoutMs} ms${whyNoReply()}`))
    const timer = setTimeout(tooLate, timeoutMs)
    work.then((result) => resolve(E.right(result)), failed).finally(() => clearTimeout(timer))
  })

/**
 * A connection to the database in the URI, prepared before its first operation. Never fails because the database is
 * unavailable.
 */
export const openConnection = (
  uri: string,
  prepare: (database: Db) => Promise<void>,
  notify: Notify,
  monitor?: Monitor,
): Connection => {
  const client = makeClient(uri, REQUESTS, monitor)
  // int64 becomes a bigint; int32 and double stay numbers
  const database = client.db(undefined, { useBigInt64: true })
  const closing = new AbortController()
  const availability = watchAvailability(client, notify, closing.signal)

  // after a failed first connect, only close() and connect() revive the client
  const open = async (): Promise<void> => {
    try {
      await client.connect()
      await prepare(database)
    } catch (error) {
      await client.close()
      throw error
    }
  }

  // operations wait for this: the first attempt, then the latest one that has ended
  let opened = open()
  let isOpen = false

  const follow = async (): Promise<void> => {
    for (let attempt = opened; ; attempt = open()) {
      const [result] = await Promise.allSettled([attempt])
      opened = attempt
      isOpen = result.status === 'fulfilled'
      if (result.status === 'fulfilled') break
      availability.failed(result.reason)
      await sleep(OPENING_PAUSE_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
    }
    availability.opened()
  }
  const following = follow()

  return {
    database,
    run:
      (operation, timeoutMs = OPERATION_TIMEOUT_MS) =>
      () => {
        if (isOpen) return within(timeoutMs, repeatTransient(operation, timeoutMs), availability.whyNoReply)
        const afterOpening = opened.then(() => repeatTransient(operation, timeoutMs))
        return within(Math.max(OPENING_TIMEOUT_MS, timeoutMs), afterOpening, availability.whyNoReply)
      },
    close: async () => {
      closing.abort()
      await client.close()
      await following
    },
  }
}
