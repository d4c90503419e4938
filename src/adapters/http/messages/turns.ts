// Shares the event loop among all connections: few requests, and few parts of large responses, per turn of the loop.

/** How many begin per turn. The loop accepts one connection per turn, so turns must be short. */
const PER_TURN = 32
/** The same while connections are being accepted: an honest one may be behind a thousand others. */
const PER_TURN_WHILE_ACCEPTING = 1

const queue: (() => void)[] = []
let [limit, begun, isScheduled, waitingRequests] = [PER_TURN, 0, false, 0]

const turn = (): void => {
  isScheduled = false
  begun = Math.min(limit, queue.length)
  for (let left = begun; left > 0; left -= 1) queue.shift()?.()
  limit = PER_TURN
  if (queue.length > 0) schedule()
}

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  setImmediate(turn)
}

/** Whether a request may begin at once: nothing waits, and this turn has room for it. */
export const isRoomInTurn = (): boolean => {
  if (queue.length > 0 || begun >= limit) return false
  begun += 1
  schedule()
  return true
}

/** Calls the function in a later turn, after everything that waits already. */
export const inTurn = (work: () => void): void => {
  queue.push(work)
  schedule()
}

/** The same for the next request of a connection. */
export const requestInTurn = (work: () => void): void => {
  waitingRequests += 1
  inTurn(() => {
    waitingRequests -= 1
    work()
  })
}

/** The number of requests that wait for their turn. */
export const requestsWaiting = (): number => waitingRequests

/** A connection was accepted, and more may wait. */
export const favourAccepting = (): void => {
  limit = PER_TURN_WHILE_ACCEPTING
  schedule()
}
