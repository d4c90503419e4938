// The writer thread: commits one group of writes at a time, and holds no lock while it waits for the main thread.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
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

interface GroupResult {
  /** In the order in which the writes were sent. */
  readonly results: readonly E.Either<Unavailable, unknown>[]
  /** Whether another process has written since the group before. */
  readonly isShared: boolean
}

export type ToThread = readonly Write[] | 'close'

/** `ready`: the thread can write. `checkpoint`: why a checkpoint failed. */
export type FromThread = 'ready' | GroupResult | { readonly checkpoint: string }

/**
 * Pause before a group if another process has written, so that its next group can begin: half of what the last group took,
 * and at most this, which suffices on any disk. Without it, p99 beside a second writer is 22 ms instead of 12 (measured).
 */
const MAX_YIELD_MS = 1

/** Milliseconds without a write before the whole log is moved into the database. */
const IDLE_MS = 1_000

/** Log pages to accumulate before a checkpoint: 1,000 would cost a third of the creates on a slow disk (measured). */
const CHECKPOINT_PAGES = 4_000n

/**
 * Log pages at which writers wait until all of the log has been moved and it begins anew. Beside another process that
 * writes all the time, a checkpoint that lets it write never comes to that point.
 */
const RESTART_PAGES = 3n * CHECKPOINT_PAGES

/** Attempts to begin the log anew after a group; a reader may be using the end of it. */
const RESTART_TRIES = 20

const { path, files, limitMs } = workerData as ThreadSettings
const connection = connect(path, { readOnly: false })
unlessBusy(() => setUpWriter(connection))
const version = () => connection.pragma('data_version')
let seen = unlessBusy(version)
let isShared = false
let lastGroupMs = 0

const arrived = (): readonly Write[] => {
  const next = parentPort === null ? undefined : receiveMessageOnPort(parentPort)
  return next === undefined ? [] : [...(next.message as readonly Write[]), ...arrived()]
}

/**
 * Runs the writes in one transaction that is durable when this returns. If a write throws, the transaction is rolled
 * back and the others run again without it.
 */
const run = (given: readonly Write[]): GroupResult['results'] => {
  let group = given
  let current: number | undefined
  try {
    if (version() !== seen) pause(Math.min(lastGroupMs / 2, MAX_YIELD_MS))
    let begin = performance.now()
    const results = connection.transaction(() => {
      begin = performance.now()
      // also those that have arrived while another process held the lock
      group = [...group, ...arrived()]
      const latest = version()
      isShared = latest !== seen
      seen = latest
      const writes = makeWrites(connection, group.length)
      const written = group.map(({ name, input }, at) => {
        current = at
        return E.right(writes[name](input as never))
      })
      current = undefined
      // a write to a removed or replaced file must not be acknowledged
      checkFiles(path, files)
      return written
    }, limitMs)
    lastGroupMs = performance.now() - begin
    return results
  } catch (cause) {
    const failed = E.left(unavailable(cause))
    if (current === undefined) return [...group, ...arrived()].map(() => failed)
    return run(group.toSpliced(current, 1)).toSpliced(current, 0, failed)
  }
}

let hasFailed = false

interface Log {
  /** The database or the log was in use, so that not all was done. */
  readonly isBusy: boolean
  readonly pages: bigint
  /** Pages that are not in the database yet. */
  readonly left: bigint
}

const NO_LOG: Log = { isBusy: false, pages: 0n, left: 0n }

/** Moves the log into the database; `NOOP` counts pages. Reports errors once; SQLite's own checkpoints hide them. */
const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): Log => {
  const sql: Sql<[bigint, bigint, bigint]> = `PRAGMA wal_checkpoint(${mode})`
  try {
    // else the log would be moved into a file that nobody can find any more
    if (mode !== 'NOOP') checkFiles(path, files)
    const [busy = 0n, pages = 0n, done = 0n] = connection.first(sql) ?? []
    hasFailed &&= mode === 'NOOP'
    return { isBusy: busy !== 0n, pages, left: pages - done }
  } catch (cause) {
    if (!hasFailed && !isBusy(cause))
      parentPort?.postMessage({ checkpoint: asError(cause).message } satisfies FromThread)
    hasFailed = true
    return NO_LOG
  }
}

const boundLog = (): void => {
  const { pages, left } = checkpoint('NOOP')
  if (left > CHECKPOINT_PAGES) checkpoint('PASSIVE')
  if (left === 0n || pages <= RESTART_PAGES) return
  for (let tries = 1; checkpoint('RESTART').isBusy && tries < RESTART_TRIES; tries += 1) pause(0.5)
}

let idle: NodeJS.Timeout | undefined

parentPort?.on('message', (message: ToThread) => {
  clearTimeout(idle)
  if (message === 'close') {
    // so that a copy of the database alone is complete once the service has stopped
    checkpoint('TRUNCATE')
    connection.close()
    parentPort?.close()
    return
  }
  const results = run(message)
  parentPort?.postMessage({ results, isShared } satisfies FromThread)
  // throws if the files are gone, which ends this thread and with it the store
  if (results.every(E.isLeft)) checkFiles(path, files)
  boundLog()
  // PASSIVE keeps the size of the log for reuse: a sync of a growing file takes twice as long (measured)
  idle = setTimeout(() => checkpoint('PASSIVE'), IDLE_MS)
})
parentPort?.postMessage('ready' satisfies FromThread)
