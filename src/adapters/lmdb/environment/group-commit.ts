// Group commit: writes that arrive during a commit share the next commit.
import type { StoreObserver } from '../../../ports/store-observer.js'

/**
 * Milliseconds after which a write fails, although it may still reach the disk later. A create makes two writes, its id
 * and its pet, and gets its reply within five seconds.
 */
const WRITE_TIMEOUT_MS = 2_000

/** Milliseconds that a stop waits for commits in progress. */
const STOP_TIMEOUT_MS = 4_000

/** A job and the promise of its caller. */
interface Work {
  /** Runs the job, unless its caller no longer waits. */
  readonly run: () => void
  /** Resolves the caller's promise with the job's result. */
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

/**
 * Resolves once all settled promises have run their continuations, and the continuations that follow from them: Node
 * drains the microtask queue before the next tick. No I/O, timer or signal comes in between.
 */
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
   * A create takes two steps, because the domain makes the pet from its id: draw the id, then add the pet. Both must be in
   * one commit, or each create would wait for the disk twice. Within one open transaction we therefore
   * 1. run the jobs that return before the commit, which draws the ids,
   * 2. resolve their promises, and let the creates continue until each has requested the write of its pet,
   * 3. run all waiting jobs, including those pets,
   * and then commit. A create may thus know an id whose commit fails. No pet has that id, so it may be drawn again.
   *
   * A job that throws may have written something, so its transaction is rolled back, and the others run again in the next one.
   */
  const commitOne = async (): Promise<void> => {
    const group: Work[] = []
    let thrown: { readonly by: Work; readonly cause: unknown } | undefined
    const start = performance.now()
    const report = (hasFailed: boolean): void => {
      observer?.command('commit', performance.now() - start, hasFailed)
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
    /**
     * Resolves to the job's result before its commit, while the transaction is still open. The caller's next writes join the
     * same commit if it does not wait for anything else. If the commit fails, the job's writes are rolled back.
     */
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
