// The thread that writes: one group of writes after another. No lock is held while it waits for another thread.
import { parentPort, workerData } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import { connect, isBusy, pause, type Sql, setUpWriter, unlessBusy } from '../file/connection.js'
import { checkFiles, type identify } from '../file/files.js'
import { makeWrites, type Write } from './writes.js'

export interface ThreadSettings {
  readonly path: string
  /** The files that the main thread has opened. */
  readonly files: ReturnType<typeof identify>
  /** Milliseconds that a group waits for the writes of other processes. */
  readonly limitMs: number
}

type GroupResult = readonly E.Either<Unavailable, unknown>[]

export type ToThread = readonly Write[] | 'close'

/** The thread can write; the results of a group; or why a checkpoint failed. */
export type FromThread = 'ready' | GroupResult | { readonly checkpoint: string }

/** After another process has written, the next group waits so long for its turn: p99 12 ms beside a second writer, instead of 22 (measured). */
const YIELD_MS = 1

/** Milliseconds without a write, after which all of the log is moved into the database. */
const IDLE_MS = 1_000

/** Pages of the log that are not in the database: 1,000 cost a third of the creates on a slow disk (measured). */
const LONG = 4_000n

const { path, files, limitMs } = workerData as ThreadSettings
const connection = connect(path, { readOnly: false })
unlessBusy(() => setUpWriter(connection))
const version = () => connection.pragma('data_version')
let seen = unlessBusy(version)

/**
 * Runs the writes in one transaction that is durable when it returns. One that throws takes the transaction with it, and the others run
 * again without it.
 */
const run = (group: readonly Write[]): GroupResult => {
  let current: number | undefined
  try {
    if (version() !== seen) pause(YIELD_MS)
    return connection.transaction(() => {
      seen = version()
      const writes = makeWrites(connection, group.length)
      const results = group.map(({ name, input }, at) => {
        current = at
        return E.right(writes[name](input as never))
      })
      current = undefined
      // with other files beneath it, nothing can be acknowledged any more
      checkFiles(path, files)
      return results
    }, limitMs)
  } catch (cause) {
    const failed = E.left(unavailable(cause))
    if (current === undefined) return group.map(() => failed)
    return run(group.toSpliced(current, 1)).toSpliced(current, 0, failed)
  }
}

let hasFailed = false

/** Moves the log into the database; `NOOP` only returns the pages to move. An error, which SQLite's own checkpoints swallow, is reported once. */
const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): bigint => {
  const sql: Sql<[bigint, bigint, bigint]> = `PRAGMA wal_checkpoint(${mode})`
  try {
    // else the log would be emptied into a file that nobody finds again
    if (mode !== 'NOOP') checkFiles(path, files)
    const [, pages = 0n, done = 0n] = connection.first(sql) ?? []
    hasFailed &&= mode === 'NOOP'
    return pages - done
  } catch (cause) {
    if (!hasFailed && !isBusy(cause))
      parentPort?.postMessage({ checkpoint: asError(cause).message } satisfies FromThread)
    hasFailed = true
    return 0n
  }
}

let idle: NodeJS.Timeout | undefined

parentPort?.on('message', (message: ToThread) => {
  clearTimeout(idle)
  if (message === 'close') {
    // who copies the database of a stopped service has all of it
    checkpoint('TRUNCATE')
    connection.close()
    parentPort?.close()
    return
  }
  const results = run(message)
  parentPort?.postMessage(results satisfies FromThread)
  // the end of this thread is that of the store
  if (results.every(E.isLeft)) checkFiles(path, files)
  if (checkpoint('NOOP') > LONG) checkpoint('PASSIVE')
  // the next write begins at its start, and the file keeps its size: where it would grow, a sync takes twice as long (measured)
  idle = setTimeout(() => checkpoint('PASSIVE'), IDLE_MS)
})
parentPort?.postMessage('ready' satisfies FromThread)
