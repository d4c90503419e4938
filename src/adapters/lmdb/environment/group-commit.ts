// Group commit: writes that arrive while one commit is on its way to the disk share the next one.

/**
 * Milliseconds after which a write is given up, whether or not it still reaches the disk later. A create makes two, its
 * id and its pet, and must be answered within five seconds.
 */
const WRITE_TIMEOUT_MS = 2_000

/** Milliseconds that a stop waits for the commits under way. */
const STOP_TIMEOUT_MS = 4_000

export interface GroupCommit {
  /** The job's result, once all that its group has written is synced to the disk. */
  readonly write: <A>(job: () => A) => Promise<A>
  /**
   * The job's result before its commit, while the transaction is still open. Writes that its caller makes next, without
   * waiting for anything else, join the same commit. A commit that fails takes back what the job has written.
   */
  readonly writeUncommitted: <A>(job: () => A) => Promise<A>
  /** Whether a commit is under way. */
  readonly isBusy: () => boolean
  /** Refuses new writes; resolves to whether all commits under way have ended before the timeout. */
  readonly stop: () => Promise<boolean>
}

interface Work {
  /** Runs the job, unless it has timed out. */
  readonly run: () => void
  /** Answers with the job's result. */
  readonly done: () => void
  readonly failed: (cause: unknown) => void
  readonly isTimedOut: () => boolean
}

const workOf = <A>(job: () => A, resolve: (result: A) => void, reject: (cause: unknown) => void): Work => {
  let isTimedOut = false
  let result: { readonly value: A } | undefined
  const timer = setTimeout(() => {
    isTimedOut = true
    reject(new Error(`not written within ${WRITE_TIMEOUT_MS} ms`))
  }, WRITE_TIMEOUT_MS)
  return {
    run: () => {
      if (!isTimedOut) result = { value: job() }
    },
    done: () => {
      clearTimeout(timer)
      if (result !== undefined) resolve(result.value)
    },
    failed: (cause) => {
      clearTimeout(timer)
      reject(cause)
    },
    isTimedOut: () => isTimedOut,
  }
}

/**
 * Resolves once every promise that is settled has run its continuations, and those that follow from them: Node empties
 * the queue of promises before the next tick. No I/O, timer or signal comes in between.
 */
const continuationsRun = async (): Promise<void> => {
  // a tick that is asked for outside of a promise's continuation would come before them
  await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
}

/** `transact` runs its argument in one transaction and resolves when that is on the disk; a throw undoes all of it. */
export const makeGroupCommit = (transact: (group: () => Promise<void>) => Promise<void>): GroupCommit => {
  let uncommitted: Work[] = []
  let waiting: Work[] = []
  let pump: Promise<void> | undefined
  let isStopped = false

  const takeUncommitted = (): readonly Work[] => {
    const taken = uncommitted
    uncommitted = []
    return taken
  }
  const takeWaiting = (): readonly Work[] => {
    const taken = waiting
    waiting = []
    return taken
  }

  /**
   * A create takes two steps, for the domain makes the pet from its id: draw the id, then add the pet. Both must be
   * in one commit, or each create would wait for the disk twice. Within one open transaction we therefore
   * 1. run the jobs that are answered before the commit, which draws the ids,
   * 2. answer them, and let the creates go on until each has asked for its pet to be written,
   * 3. run the jobs that wait, those pets among them,
   * and then commit. An id may thus be known to a create whose commit fails; no pet has it, so it may be drawn again.
   */
  const commitOne = async (): Promise<void> => {
    const group: Work[] = []
    const run = (works: readonly Work[]): void => {
      group.push(...works)
      for (const work of works) work.run()
    }
    try {
      await transact(async () => {
        const early = takeUncommitted()
        run(early)
        for (const work of early) work.done()
        if (early.length > 0) await continuationsRun()
        run(takeWaiting())
      })
      for (const work of group) work.done()
    } catch (cause) {
      // a transaction that could not even begin fails all that waits for it
      if (group.length === 0) group.push(...takeUncommitted(), ...takeWaiting())
      for (const work of group) work.failed(cause)
    }
  }

  const pumpAll = async (): Promise<void> => {
    while (uncommitted.length > 0 || waiting.length > 0) await commitOne()
    pump = undefined
  }

  const add = (work: Work, queue: Work[]): void => {
    if (isStopped) {
      work.failed(new Error('the store is closed'))
      return
    }
    // behind a commit that never ends, writes that have timed out must not pile up
    while (queue[0]?.isTimedOut()) queue.shift()
    queue.push(work)
    pump ??= pumpAll()
  }

  return {
    write: (job) => new Promise((resolve, reject) => add(workOf(job, resolve, reject), waiting)),
    writeUncommitted: (job) => new Promise((resolve, reject) => add(workOf(job, resolve, reject), uncommitted)),
    isBusy: () => pump !== undefined,
    stop: async () => {
      isStopped = true
      const deadline = new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
      if (pump !== undefined) await Promise.race([pump, deadline])
      return pump === undefined
    },
  }
}
