// Writes that wait together are committed together: while one commit is on its way to the disk, the next group gathers.

/** Milliseconds after which a write is given up, whether or not it is still done later. */
const PATIENCE = 4_000

/**
 * How many steps of its promises an answer may take to the write that follows from it. Within these steps nothing else
 * runs, above all no signal, which might have the process exit under its open transaction.
 */
const STEPS = 100

export interface GroupCommit {
  /** The job's result, once all that its group has written is synced to the disk. */
  readonly write: <A>(job: () => A) => Promise<A>
  /**
   * The job's result at once, while its transaction is still open: writes that follow from it at once, without
   * waiting for anything else, join the same commit. A commit that fails takes back what the job has written.
   */
  readonly writeAhead: <A>(job: () => A) => Promise<A>
  /** Whether a commit is under way. */
  readonly isBusy: () => boolean
  /** Refuses what comes from now on; resolves to whether all that was under way has ended before it took too long. */
  readonly stop: () => Promise<boolean>
}

interface Work {
  readonly run: () => void
  readonly done: () => void
  readonly failed: (cause: unknown) => void
  readonly isGivenUp: () => boolean
}

const workOf = <A>(job: () => A, isAhead: boolean, resolve: (result: A) => void, reject: (cause: unknown) => void) => {
  let isGivenUp = false
  let result: { readonly value: A } | undefined
  const timer = setTimeout(() => {
    isGivenUp = true
    reject(new Error(`not written within ${PATIENCE} ms`))
  }, PATIENCE)
  const done = (): void => {
    clearTimeout(timer)
    if (result !== undefined) resolve(result.value)
  }
  const failed = (cause: unknown): void => {
    clearTimeout(timer)
    reject(cause)
  }
  const run = (): void => {
    result = { value: job() }
    if (isAhead) done()
  }
  return { run, done, failed, isGivenUp: () => isGivenUp } satisfies Work
}

/** `transact` runs its argument in one transaction and resolves when that is on the disk; a throw undoes all of it. */
export const makeGroupCommit = (transact: (group: () => Promise<void>) => Promise<void>): GroupCommit => {
  let ahead: Work[] = []
  let waiting: Work[] = []
  let pump: Promise<void> | undefined
  let isStopped = false

  const takeAhead = (): readonly Work[] => {
    const taken = ahead
    ahead = []
    return taken
  }
  const takeWaiting = (): readonly Work[] => {
    const taken = waiting
    waiting = []
    return taken
  }
  const run = (group: readonly Work[]): void => {
    for (const work of group) if (!work.isGivenUp()) work.run()
  }

  /** Waits until as many writes have followed, but for no longer than what was answered takes to ask for them. */
  const followers = async (count: number): Promise<void> => {
    for (let step = 0; step < STEPS && waiting.length < count; step += 1) await Promise.resolve()
  }

  const commitOne = async (): Promise<void> => {
    const group: Work[] = []
    try {
      await transact(async () => {
        const first = takeAhead()
        group.push(...first)
        run(first)
        await followers(first.length)
        const rest = takeWaiting()
        group.push(...rest)
        run(rest)
      })
      for (const work of group) work.done()
    } catch (cause) {
      // a transaction that could not even begin fails all that waits for it
      if (group.length === 0) group.push(...takeAhead(), ...takeWaiting())
      for (const work of group) work.failed(cause)
    }
  }

  const pumpAll = async (): Promise<void> => {
    while (ahead.length > 0 || waiting.length > 0) await commitOne()
    pump = undefined
  }

  const add = (work: Work, queue: Work[]): void => {
    if (isStopped) {
      work.failed(new Error('the store is closed'))
      return
    }
    // behind a commit that never ends, what is given up must not pile up
    while (queue[0]?.isGivenUp()) queue.shift()
    queue.push(work)
    pump ??= pumpAll()
  }

  return {
    write: (job) => new Promise((resolve, reject) => add(workOf(job, false, resolve, reject), waiting)),
    writeAhead: (job) => new Promise((resolve, reject) => add(workOf(job, true, resolve, reject), ahead)),
    isBusy: () => pump !== undefined,
    stop: async () => {
      isStopped = true
      const deadline = new Promise((resolve) => setTimeout(resolve, PATIENCE).unref())
      if (pump !== undefined) await Promise.race([pump, deadline])
      return pump === undefined
    },
  }
}
