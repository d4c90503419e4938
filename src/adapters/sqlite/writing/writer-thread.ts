// The thread that writes: one group of writes after another. No lock is held while it waits for another thread.
import { parentPort, workerData } from 'node:worker_threads'
import { connect, opening } from '../file/connection.js'
import { faultOf, type Identity } from '../file/files.js'
import { setUpWriter } from '../file/schema.js'
import { makeCheckpoints } from './checkpoints.js'
import { type GroupResult, makeGroups } from './group.js'
import type { Write } from './writes.js'

export interface ThreadSettings {
  readonly path: string
  /** The files that the main thread has opened. */
  readonly files: Identity
}

export type ToThread =
  | { readonly _tag: 'Group'; readonly writes: readonly Write[]; readonly limitMs: number }
  | { readonly _tag: 'Close' }

export type FromThread =
  | { readonly _tag: 'Done'; readonly results: GroupResult }
  /** The files beneath the service are others: nothing is acknowledged any more. */
  | { readonly _tag: 'Lost'; readonly reason: string }
  | { readonly _tag: 'CheckpointFailed'; readonly reason: string }

/** Milliseconds without a write, after which the log is emptied. */
const IDLE_MS = 1_000

const { path, files } = workerData as ThreadSettings
const post = (message: FromThread): void => parentPort?.postMessage(message)

const connection = opening(() => connect(path, { readOnly: false }))
opening(() => setUpWriter(connection))
const checkpoints = makeCheckpoints(connection, (cause) => post({ _tag: 'CheckpointFailed', reason: String(cause) }))
const run = makeGroups(connection, () => {
  const reason = faultOf(path, files)
  if (reason === undefined) return
  post({ _tag: 'Lost', reason })
  throw new Error(reason)
})

let idle: NodeJS.Timeout | undefined

parentPort?.on('message', (message: ToThread) => {
  clearTimeout(idle)
  if (message._tag === 'Close') {
    connection.close()
    parentPort?.close()
    return
  }
  post({ _tag: 'Done', results: run(message.writes, message.limitMs) })
  checkpoints.afterGroup()
  idle = setTimeout(checkpoints.whenIdle, IDLE_MS)
})
