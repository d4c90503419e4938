// Queues writes for the writer thread. Writes that arrive while a group is being written form the next group.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import type { Notify } from '../../../ports/notice.js'
import type { StoreObserver } from '../../../ports/observer.js'
import { checkFiles } from '../file/files.js'
import type { FromThread, ThreadSettings, ToThread } from './writer-thread.js'
import type { Write, Writes } from './writes.js'

/** The command name in the metrics. */
export const COMMIT = 'commit'

/** Milliseconds that `close` waits for earlier writes. */
const STOP_TIMEOUT_MS = 4_000

/** Writes per group; they take a few milliseconds, so callers do not wait long for their group. */
const MAX_GROUP = 500

interface Call extends Write {
  readonly settle: (result: E.Either<Unavailable, unknown>) => void
}

const failure = (reason: string) => E.left(unavailable(new Error(reason)))

/** `limitMs`: milliseconds after which a write fails, though it may still reach the disk. */
export interface WriterSettings extends ThreadSettings {
  readonly notify: Notify
  readonly observer?: StoreObserver | undefined
}

export const makeWriter = ({ path, files, limitMs, notify, observer }: WriterSettings) => {
  const waiting = new Set<Call>()
  let group: readonly Call[] = []
  /** Of the latest group. */
  let [size, isShared] = [0, false]
  let start = 0
  let ended: string | undefined
  // without the secrets in the environment and preloaded modules such as tracing; Node 22 has already warned of SQLite
  const thread = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData: { path, files, limitMs } satisfies ThreadSettings,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  // the time limit of a write begins once the thread is ready: on a busy machine, its start may take longer
  const isReady = new Promise((resolve) => thread.once('message', resolve).once('exit', resolve))
  // the thread must not keep the process running; the timer of a waiting caller does
  void isReady.then(() => thread.unref())

  const next = (): void => {
    // beside another process, the thread may still wait for the lock: what it gets meanwhile joins the group
    if (group.length > 0 && !isShared) return
    const calls = [...waiting].slice(0, MAX_GROUP - group.length)
    if (calls.length === 0) return
    for (const call of calls) waiting.delete(call)
    if (group.length === 0) start = performance.now()
    group = [...group, ...calls]
    thread.postMessage(calls.map(({ name, input }) => ({ name, input })) satisfies ToThread)
  }

  const end = (reason: string): void => {
    // a service that started again would find no store, and create an empty one
    const needsOperator = E.isLeft(E.tryCatch(() => checkFiles(path, files), asError))
    const message = 'the embedded store cannot be used any more'
    if (ended === undefined) notify({ level: 'fatal', message, needsOperator, details: { path, reason } })
    ended ??= reason
    void thread.terminate()
    for (const call of [...group, ...waiting]) call.settle(failure(ended))
    group = []
    waiting.clear()
  }

  thread.on('message', (message: FromThread) => {
    if (message === 'ready') return
    if ('checkpoint' in message) {
      const details = { path, reason: message.checkpoint }
      notify({ level: 'warn', message: 'the log of the embedded store cannot be moved into its database', details })
      return
    }
    const { results } = message
    const finished = group
    group = finished.slice(results.length)
    size = results.length
    isShared = message.isShared
    const now = performance.now()
    observer?.command(COMMIT, now - start, results.every(E.isLeft))
    observer?.batch(COMMIT, size)
    start = now
    next()
    for (const [at, result] of results.entries()) finished[at]?.settle(result)
  })
  thread.on('error', (error) => end(`the thread that writes failed: ${asError(error).message}`))
  thread.on('exit', () => end('the thread that writes has ended'))

  return {
    /** Resolves once the whole group is on disk. `Unavailable` means unknown: the write may have happened. */
    write:
      <N extends keyof Writes>(
        name: N,
        input: Parameters<Writes[N]>[0],
      ): TaskEither<Unavailable, ReturnType<Writes[N]>> =>
      async () => {
        await isReady
        return new Promise((resolve) => {
          const settle = (result: E.Either<Unavailable, unknown>): void => {
            clearTimeout(timer)
            // after a timeout: queued calls must not pile up behind a commit that never ends
            waiting.delete(call)
            // safe, because the name determines the type of the result
            resolve(result as E.Either<Unavailable, ReturnType<Writes[N]>>)
          }
          const timer = setTimeout(() => settle(failure(`not written within ${limitMs} ms`)), limitMs)
          const call: Call = { name, input, settle }
          if (ended === undefined) waiting.add(call)
          else settle(failure(ended))
          // while creates overlap, the first of a turn waits for the others, instead of being synced alone
          if (size < 2) next()
          else if (waiting.size === 1) setImmediate(next)
        })
      },
    /** Makes the store unusable in this process, with a `fatal` notice. */
    end,
    /** Refuses new writes and finishes earlier ones. */
    close: async (): Promise<void> => {
      await isReady
      if (ended !== undefined) return
      ended = 'the store is closed'
      thread.ref()
      const signal = AbortSignal.timeout(STOP_TIMEOUT_MS)
      try {
        while (group.length + waiting.size > 0) await once(thread, 'message', { signal })
        thread.postMessage('close' satisfies ToThread)
        await once(thread, 'exit', { signal })
      } catch {
        // a hung disk blocks the thread; its files are closed when the process exits
        void thread.terminate()
        thread.unref()
      }
    },
  }
}

export type Writer = ReturnType<typeof makeWriter>
