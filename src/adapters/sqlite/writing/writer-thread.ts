// The thread that writes: one group of writes after another. No lock is held while it waits for another thread.
import { parentPort, workerData } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { asError } from '../../../domain/thrown.js'
import { connect, isBusy, type Sql, unlessBusy } from '../file/connection.js'
import { checkFiles, type Identity } from '../file/folder.js'
import { setUpWriter } from '../file/schema.js'
import { type GroupResult, makeGroups } from './group.js'
import type { Write } from './writes.js'

export interface ThreadSettings {
  readonly path: string
  /** The files that the main thread has opened. */
  readonly files: Identity
  /** Milliseconds that a group waits for the writes of other processes. */
  readonly limitMs: number
}

export type ToThread = readonly Write[] | 'close'

/** The results of a group, or why a checkpoint failed. */
export type FromThread = GroupResult | string

/** Milliseconds without a write, after which the log is emptied. */
const IDLE_MS = 1_000

/** Pages of the log that are not in the database: 1,000 cost a third of the creates on a slow disk (measured). */
const LONG = 4_000n

const { path, files, limitMs } = workerData as ThreadSettings
const post = (message: FromThread): void => parentPort?.postMessage(message)

const connection = connect(path, { readOnly: false })
unlessBusy(() => setUpWriter(connection))
const run = makeGroups(connection, limitMs, () => checkFiles(path, files))

let hasFailed = false

/**
 * Moves the log into the database; `NOOP` only looks. Returns the pages that are left, 0 if another connection is at it. SQLite's own
 * checkpoints would swallow their errors; these are reported once, until one succeeds.
 */
const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): bigint => {
  const sql: Sql<[bigint, bigint, bigint]> = `PRAGMA wal_checkpoint(${mode})`
  try {
    const [busy, pages, done] = connection.first(sql) ?? [1n, 0n, 0n]
    hasFailed &&= mode === 'NOOP'
    return busy === 0n ? pages - done : 0n
  } catch (cause) {
    if (!hasFailed && !isBusy(cause)) post(asError(cause).message)
    hasFailed = true
    return 0n
  }
}

let idle: NodeJS.Timeout | undefined

parentPort?.on('message', (message: ToThread) => {
  clearTimeout(idle)
  if (message === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  const results = run(message)
  post(results)
  // the end of this thread is that of the store: with other files beneath it, nothing can be acknowledged any more
  if (results.every(E.isLeft)) checkFiles(path, files)
  if (checkpoint('NOOP') > LONG) checkpoint('PASSIVE')
  // empties the log's file, unless somebody reads or writes
  idle = setTimeout(() => checkpoint('TRUNCATE'), IDLE_MS)
})
