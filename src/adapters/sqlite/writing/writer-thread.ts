// The thread that writes: one group of writes after another. No lock is held while it waits for another thread.
import { parentPort, workerData } from 'node:worker_threads'
import { connect, isBusy, opening, type Sql } from '../file/connection.js'
import { faultOf, type Identity } from '../file/files.js'
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

/** A group. */
export type ToThread = readonly Write[] | 'close'

export type FromThread =
  | { readonly _tag: 'Done'; readonly results: GroupResult }
  /** The files beneath the service are others: nothing is acknowledged any more. */
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'CheckpointFailed'; readonly reason: string }

/** Milliseconds without a write, after which the log is emptied. */
const IDLE_MS = 1_000

/** Pages of the log that are not in the database: 1,000 cost a third of the creates on a slow disk (measured). */
const LONG = 4_000n

const { path, files, limitMs } = workerData as ThreadSettings
const post = (message: FromThread): void => parentPort?.postMessage(message)

const connection = opening(() => connect(path, { readOnly: false }))
opening(() => setUpWriter(connection))
const run = makeGroups(connection, limitMs, () => {
  const reason = faultOf(path, files)
  if (reason === undefined) return
  post({ _tag: 'Lost', reason })
  throw new Error(reason)
})

/** The pages of the log that are not in the database; 0 if another connection is at it. SQLite's own checkpoints would swallow their errors. */
const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): bigint => {
  const sql: Sql<[bigint, bigint, bigint]> = `PRAGMA wal_checkpoint(${mode})`
  const [busy, pages, done] = connection.first(sql) ?? [1n, 0n, 0n]
  return busy === 0n ? pages - done : 0n
}

let hasFailed = false

/** Reports each failure once, until a checkpoint succeeds. */
const tried = (work: () => void): void => {
  try {
    work()
    hasFailed = false
  } catch (cause) {
    if (!hasFailed && !isBusy(cause)) post({ _tag: 'CheckpointFailed', reason: String(cause) })
    hasFailed = true
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
  post({ _tag: 'Done', results: run(message) })
  tried(() => {
    if (checkpoint('NOOP') > LONG) checkpoint('PASSIVE')
  })
  // empties the log's file, unless somebody reads or writes
  idle = setTimeout(() => tried(() => checkpoint('TRUNCATE')), IDLE_MS)
})
