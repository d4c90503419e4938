// Group commit: writes that arrive during a commit share the next commit.
import type { StoreObserver } from '../../../ports/store-observer.js'

/** The name of its command in the measurements. */
export const COMMIT = 'commit'

/** Milliseconds after which a write fails, though it may still reach the disk. A create makes two, and gets its response within 5 s. */
const WRITE_TIMEOUT_MS = 2_000

/** Milliseconds that a stop waits for commits in progress. */
const STOP_TIMEOUT_MS = 4_000

/** A job and the promise of its caller. */
interface Work {
  /** Runs the job, unless its caller no longer waits. */
  readonly run: () => void
  readonly done: () => void
  readonly failed: (cause: unknown) => void
  /** Whether the caller has the result or a failure. */
  readonly isSettled: () => boolean
}

const workOf = <A>(job: () => A, resolve: (result: A) => void, reject: (cause: unknown) => void): Work => {
  let isSettled = false
  let result: { readonly value: A } | undefined
  const failed = (cause: unknown): void => {
    clearTimeout(timer)
    isSettled = true
    reject(cause)
  }
  const timer = setTimeout(() => failed(new Error(`not written within ${WRITE_TIMEOUT_MS} ms`)), WRITE_TIMEOUT_MS)
  return {
    run: () => {
      if (!isSettled) result = { value: job() }
    },
    done: () => {
      clearTimeout(timer)
      isSettled = true
      if (result !== undefined) resolve(result.value)
    },
    failed,
    isSettled: () => isSettled,
  }
}

/** Resolves once the continuations of settled promises have run: Node drains the microtask queue before the next tick. */
const continuationsRun = async (): Promise<void> => {
  // a tick requested outside of a promise continuation would come before them
  await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
}

/** `transact` runs its argument in one transaction and resolves when it is on disk; a throw rolls it back. */
export const makeGroupCommit = (
  transact: (group: () => Promise<void>) => Promise<void>,
  observer?: Pick<StoreObserver, 'batch' | 'command'>,
) => {
  const uncommitted: Work[] = []
  const waiting: Work[] = []
  let pump: Promise<void> | undefined
  let isStopped = false

  /**
   * A create draws its id and then adds its pet. Both must be in one commit, or it would wait for the disk twice: so the jobs that
   * draw ids run first, their creates go on until each has requested the write of its pet, and these writes run in the same
   * transaction. If its commit fails, no pet has the ids, and they may be drawn again.
   *
   * A job that throws may have written something, so its transaction is rolled back, and the others run again in the next one.
   */
  const commitOne = async (): Promise<void> => {
    const group: Work[] = []
    let thrown: { readonly by: Work; readonly cause: unknown } | undefined
    const start = performance.now()
    const report = (hasFailed: boolean): void => {
      observer?.command(COMMIT, performance.now() - start, hasFailed)
      observer?.batch('commit', group.length)
    }
    const run = (works: readonly Work[]): void => {
      group.push(...works)
      for (const work of works) {
        try {
          work.run()
        } catch (cause) {
          thrown = { by: work, cause }
          throw cause
        }
      }
    }
    try {
      await transact(async () => {
        const early = uncommitted.splice(0)
        run(early)
        for (const work of early) work.done()
        if (early.length > 0) await continuationsRun()
        run(waiting.splice(0))
      })
      report(false)
      for (const work of group) work.done()
    } catch (cause) {
      if (thrown !== undefined) {
        thrown.by.failed(thrown.cause)
        waiting.unshift(...group.filter((work) => !work.isSettled()))
        return
      }
      // if a transaction cannot begin, all jobs that wait for it fail
      if (group.length === 0) group.push(...uncommitted.splice(0), ...waiting.splice(0))
      report(true)
      for (const work of group) work.failed(cause)
    }
  }

  const pumpAll = async (): Promise<void> => {
    while (uncommitted.length > 0 || waiting.length > 0) await commitOne()
    pump = undefined
  }

  const addTo =
    (queue: Work[]) =>
    <A>(job: () => A): Promise<A> =>
      new Promise((resolve, reject) => {
        if (isStopped) {
          reject(new Error('the store is closed'))
          return
        }
        // writes that have timed out must not pile up behind a commit that never ends
        while (queue[0]?.isSettled()) queue.shift()
        queue.push(workOf(job, resolve, reject))
        pump ??= pumpAll()
      })

  return {
    /** Resolves to the job's result once all writes of its group are synced to disk. */
    write: addTo(waiting),
    /** Resolves to the job's result before its commit, which the caller's next writes join if it waits for nothing else. */
    writeUncommitted: addTo(uncommitted),
    /** Whether a commit is in progress. */
    isBusy: () => pump !== undefined,
    /** Refuses new writes. Resolves to whether all commits in progress ended before the timeout. */
    stop: async (): Promise<boolean> => {
      isStopped = true
      const deadline = new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
      if (pump !== undefined) await Promise.race([pump, deadline])
      return pump === undefined
    },
  }
}

export type GroupCommit = ReturnType<typeof makeGroupCommit>
