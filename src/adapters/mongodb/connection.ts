// Opens the database in the background, for as long as it takes, and runs operations on it within a bounded time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Db, MongoNetworkError, MongoServerError } from 'mongodb'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { Notify } from '../../ports/notice.js'
import { watchAvailability } from './availability.js'
import { IMPATIENT, makeClient } from './client.js'

/** Milliseconds that an operation may take: a request runs four of them at most, and is to end within 5 s. */
export const OPERATION_LIMIT = 1_200
/** Milliseconds that an operation waits for the very first opening. */
const OPENING_LIMIT = 3_000
/** Milliseconds between two attempts to open, and between two to run an operation on a network that fails at once. */
const OPENING_PAUSE = 500
const RETRY_PAUSE = 25

/** A server that ends or is the primary no longer; another takes over (MongoDB's specification "Retryable Reads"). */
const STEPPED_DOWN = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436])

/**
 * Runs an operation, again after a network error or a step-down while time remains: it must be safe to repeat. The one
 * place of this adapter where an error becomes `Unavailable`. The limit is in milliseconds.
 */
export type Run = <A>(operation: () => Promise<A>, limit?: number) => TE.TaskEither<Unavailable, A>

export interface Connection {
  readonly database: Db
  readonly run: Run
  readonly close: Task<void>
}

const within = <A>(milliseconds: number, work: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the database did not answer within ${milliseconds} ms`)),
      milliseconds,
    )
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })

const isPassing = (error: unknown): boolean =>
  error instanceof MongoNetworkError || (error instanceof MongoServerError && STEPPED_DOWN.has(error.code))

const insist = async <A>(operation: () => Promise<A>, milliseconds: number): Promise<A> => {
  const end = performance.now() + milliseconds - RETRY_PAUSE
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!isPassing(error) || performance.now() >= end) throw error
      await sleep(RETRY_PAUSE)
    }
  }
}

/** A connection to the database that the URI names, prepared before its first operation; never fails because it is away. */
export const openConnection = (uri: string, prepare: (database: Db) => Promise<void>, notify: Notify): Connection => {
  const client = makeClient(uri, IMPATIENT)
  // int64 as bigint; what is an int32 or a double stays a number
  const database = client.db(undefined, { useBigInt64: true })
  const closing = new AbortController()
  const availability = watchAvailability(client, notify, closing.signal)

  // a client whose first connect failed may stay closed for good: only close() and connect() revive it
  const open = async (): Promise<void> => {
    try {
      await client.connect()
      await prepare(database)
    } catch (error) {
      await client.close()
      throw error
    }
  }

  // what operations wait for: the first attempt, afterwards the outcome of the latest
  let opened = open()
  let isOpen = false

  const follow = async (): Promise<void> => {
    for (let attempt = opened; ; attempt = open()) {
      const [outcome] = await Promise.allSettled([attempt])
      opened = attempt
      isOpen = outcome.status === 'fulfilled'
      if (outcome.status === 'fulfilled') break
      availability.failed(outcome.reason)
      await sleep(OPENING_PAUSE, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
    }
    availability.opened()
  }
  const following = follow()

  return {
    database,
    run: (operation, limit = OPERATION_LIMIT) =>
      TE.tryCatch(async () => {
        if (!isOpen) await within(OPENING_LIMIT, opened)
        return within(limit, insist(operation, limit))
      }, unavailable),
    close: async () => {
      closing.abort()
      await client.close()
      await following
    },
  }
}
