// Spreads the work of many listeners over turns of the event loop, because Node accepts one connection per turn.

/** Time per turn after which no work is begun; short, because a thousand connections may arrive at once. */
const TURN_MS = 1
/** Each turn begins at least one piece, because some stores are read over a network. */
const MAX_AT_ONCE = 10
/** Turns in a row that leave their time to newcomers. */
const MAX_SKIPPED = 3

/** Begins work in the order of the calls. `isNew`: whether this listener has just come, and others may be behind it. */
export type InTurn = <A>(work: () => Promise<A>, isNew: boolean) => Promise<A>

export const makeInTurn = (): InTurn => {
  const queue: (() => void)[] = []
  let running = 0
  let turnEndsAt: number | undefined
  let haveCome = false
  let skipped = 0

  // not `setImmediate`, which only Node has
  const planTurn = (): void => void setTimeout(nextTurn)

  const nextTurn = (): void => {
    const isSkipped = haveCome && skipped < MAX_SKIPPED
    haveCome = false
    skipped = isSkipped ? skipped + 1 : 0
    turnEndsAt = isSkipped ? 0 : undefined
    if (isSkipped) planTurn()
    else begin()
  }

  const isTurnOver = (): boolean => {
    if (turnEndsAt !== undefined) return running > 0 || performance.now() >= turnEndsAt
    turnEndsAt = performance.now() + TURN_MS
    planTurn()
    return false
  }

  const begin = (): void => {
    while (running < MAX_AT_ONCE && queue.length > 0 && !isTurnOver()) {
      running += 1
      queue.shift()?.()
    }
  }

  return async (work, isNew) => {
    await new Promise<void>((resolve) => {
      queue.push(resolve)
      haveCome ||= isNew
      begin()
    })
    try {
      return await work()
    } finally {
      running -= 1
      begin()
    }
  }
}
