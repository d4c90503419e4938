// The queue of writes before the thread that writes them: what comes while a group is written is the next group.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import type { Notify } from '../../../ports/notice.js'
import type { StoreObserver } from '../../../ports/observer.js'
import type { FromThread, ThreadSettings, ToThread } from './writer-thread.js'
import type { Write, Writes } from './writes.js'

/** The name of its command in the measurements. */
export const COMMIT = 'commit'

/** Milliseconds that a stop waits for the writes before it. */
const STOP_TIMEOUT_MS = 4_000

/** So many writes take a few milliseconds: then others get their answers. */
const MAX_GROUP = 500

interface Call extends Write {
  readonly settle: (result: E.Either<Unavailable, unknown>) => void
}

const failure = (reason: string) => E.left(unavailable(new Error(reason)))

/** `limitMs`: how long a write takes at most before it fails, though it may still reach the disk. */
export interface WriterSettings extends ThreadSettings {
  readonly notify: Notify
  readonly observer?: StoreObserver | undefined
}

export const makeWriter = ({ path, files, limitMs, notify, observer }: WriterSettings) => {
  const waiting = new Set<Call>()
  let group: readonly Call[] = []
  let start = 0
  let ended: string | undefined
  // without the secrets of the process, and without what it loads first, such as tracing
  const thread = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData: { path, files, limitMs } satisfies ThreadSettings,
    env: {},
    execArgv: [],
  })
  // the time limit of a write begins once the thread can write: on a busy machine, its start may take longer
  const isReady = new Promise((resolve) => thread.once('message', resolve).once('exit', resolve))
  // a caller that waits keeps the process running; the thread does not
  void isReady.then(() => thread.unref())

  const next = (): void => {
    group = [...waiting].slice(0, MAX_GROUP)
    for (const call of group) waiting.delete(call)
    if (group.length === 0) return
    start = performance.now()
    thread.postMessage(group.map(({ name, input }) => ({ name, input })) satisfies ToThread)
  }

  const end = (reason: string): void => {
    if (ended === undefined)
      notify({ level: 'fatal', message: 'the embedded store cannot be used any more', details: { path, reason } })
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
    const finished = group
    observer?.command(COMMIT, performance.now() - start, message.every(E.isLeft))
    observer?.batch(COMMIT, finished.length)
    next()
    for (const [at, { settle }] of finished.entries()) settle(message[at] ?? failure('the write has no result'))
  })
  thread.on('error', (error) => end(`the thread that writes failed: ${asError(error).message}`))
  thread.on('exit', () => end('the thread that writes has ended'))

  return {
    /** Runs a write once all of its group is on the disk. `Unavailable` means unknown: it may have been written. */
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
            // one that has timed out must not wait behind a commit that never ends
            waiting.delete(call)
            // the name decides which result it is
            resolve(result as E.Either<Unavailable, ReturnType<Writes[N]>>)
          }
          const timer = setTimeout(() => settle(failure(`not written within ${limitMs} ms`)), limitMs)
          const call: Call = { name, input, settle }
          if (ended === undefined) waiting.add(call)
          else settle(failure(ended))
          if (group.length === 0) next()
        })
      },
    /** Ends the use of the store in this process, with a `fatal` notice. */
    end,
    /** Refuses new writes, and lets those before it end. */
    close: async (): Promise<void> => {
      await isReady
      if (ended !== undefined) return
      ended = 'the store is closed'
      thread.ref()
      const signal = AbortSignal.timeout(STOP_TIMEOUT_MS)
      try {
        while (group.length > 0) await once(thread, 'message', { signal })
        thread.postMessage('close' satisfies ToThread)
        await once(thread, 'exit', { signal })
      } catch {
        // a disk that hangs holds the thread; the exit of the process frees its files
        void thread.terminate()
        thread.unref()
      }
    },
  }
}

export type Writer = ReturnType<typeof makeWriter>
