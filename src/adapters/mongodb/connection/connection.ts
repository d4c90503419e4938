// Opens the database in the background, however long it takes, and runs operations within a bounded time.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { Notify, ReportDamage } from '../../../ports/notice.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { StoreOperation } from '../../../ports/store.js'
import type { BatchSettings } from '../batch.js'
import type { Database, Deadlines } from './client.js'
import { repeatTransient } from './commands.js'
import { watchAvailability } from './monitor.js'

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
    const failed = (cause: unknown): void => resolve(E.left(unavailable(cause)))
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
        if (isOpen) return within(timeoutMs, repeatTransient(operation, timeoutMs), availability.whyNoReply)
        const afterOpening = opened.then(() => repeatTransient(operation, timeoutMs))
        return within(Math.max(openingMs, timeoutMs), afterOpening, availability.whyNoReply)
      },
    close: async (): Promise<void> => {
      closing.abort()
      await close()
      await following
    },
  }
}
