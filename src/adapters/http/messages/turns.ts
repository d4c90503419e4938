// Shares the event loop among all connections: few requests, and few parts of large responses, per turn of the loop.

/** How many begin per turn. The loop accepts one connection per turn, so turns must be short. */
const PER_TURN = 32
/**
 * Turns in which nothing begins while connections are being accepted, because an honest one may be behind a thousand others. Then a first
 * request begins and one of a kept connection, so that neither waits for the end of a flood.
 */
const TURNS_FOR_ACCEPTING = 3

/** A turn that takes longer lets callers begin half as much in the next one. */
const LONG_TURN_MS = 8

const queue: (() => void)[] = []
/** The first requests of their connections: who sends much must not delay those who have sent nothing yet. */
const firsts: (() => void)[] = []
let [limit, begun, acceptingTurns, isScheduled, waitingRequests] = [PER_TURN, 0, 0, false, 0]
/** Requests that wait, by caller. */
const shares = new Map<string, (() => void)[]>()
let [share, taken, turnBegan] = [PER_TURN, 0, 0]

/** One caller after the other: who has a thousand connections gets no more than who has one. */
const shareOut = (): void => {
  const tookLong = performance.now() - turnBegan > LONG_TURN_MS
  share = tookLong ? Math.max(1, share / 2) : Math.min(PER_TURN, share * 2)
  taken = 0
  for (const [caller, works] of shares) {
    if (taken >= Math.min(share, limit)) return
    taken += 1
    shares.delete(caller)
    works.shift()?.()
    if (works.length > 0) shares.set(caller, works)
  }
}

const turn = (): void => {
  isScheduled = false
  begun = Math.min(limit, queue.length + firsts.length)
  for (let left = begun; left > 0; left -= 1) {
    const [one, other] = left % 2 === 0 ? [queue, firsts] : [firsts, queue]
    const work = one.shift() ?? other.shift()
    work?.()
  }
  shareOut()
  limit = PER_TURN
  if (queue.length + firsts.length + shares.size > 0) schedule()
}

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  turnBegan = performance.now()
  setImmediate(turn)
}

/** Whether a request may begin at once: nothing waits, and this turn has room for it. */
export const isRoomInTurn = (): boolean => {
  if (queue.length + firsts.length > 0 || begun >= limit) return false
  begun += 1
  schedule()
  return true
}

/** Resolves when it is this caller's turn to cause work; undefined: that is now. */
export const shareOf = (caller: string): Promise<void> | undefined => {
  schedule()
  if (shares.size === 0 && taken < share) {
    taken += 1
    return undefined
  }
  return new Promise((resolve) => {
    const works = shares.get(caller)
    if (works === undefined) shares.set(caller, [resolve])
    else works.push(resolve)
  })
}

/** Calls the function in a later turn, after everything that waits already. */
export const inTurn = (work: () => void): void => {
  queue.push(work)
  schedule()
}

/** The same for the next request of a connection. */
export const requestInTurn = (isFirst: boolean, work: () => void): void => {
  waitingRequests += 1
  const line = isFirst ? firsts : queue
  line.push(() => {
    waitingRequests -= 1
    work()
  })
  schedule()
}

/** The number of requests that wait for their turn. */
export const requestsWaiting = (): number => waitingRequests

/** A connection was accepted, and more may wait. */
export const favourAccepting = (): void => {
  acceptingTurns = (acceptingTurns + 1) % (TURNS_FOR_ACCEPTING + 1)
  limit = acceptingTurns === 0 ? 2 : 0
  schedule()
}
