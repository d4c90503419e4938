// How many pieces a server parses in a turn of its event loop. The loop accepts one connection per turn, so turns must be short.

export interface Turns {
  /** Whether a piece may be parsed at once: nothing waits, and this turn has room for it. Counts it. */
  readonly isRoom: () => boolean
  /** Calls the function in a later turn, after everything that waits already. */
  readonly wait: (work: () => void) => void
}

const PER_TURN = 32

export const makeTurns = (): Turns => {
  let queue: (() => void)[] = []
  let begun = 0
  let isScheduled = false

  const turn = (): void => {
    isScheduled = false
    const works = queue.slice(0, PER_TURN)
    queue = queue.slice(PER_TURN)
    begun = works.length
    for (const work of works) work()
    if (queue.length > 0) schedule()
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(turn)
  }

  return {
    isRoom: () => {
      // also if nothing waits, the next turn has room again
      schedule()
      if (queue.length > 0 || begun >= PER_TURN) return false
      begun += 1
      return true
    },
    wait: (work) => {
      queue.push(work)
      schedule()
    },
  }
}
