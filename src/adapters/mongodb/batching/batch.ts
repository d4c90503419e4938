// Batches calls that arrive while earlier batches are in flight.
import { rejectExpired, type WaitingCall } from './waiting-call.js'

/** Counts the batches in flight that calls wait for. Several functions may share it. */
export interface Lane {
  inFlight: number
  /** Called when a batch has returned. */
  readonly resume: (() => void)[]
}

/**
 * An empty lane, for the `lane` of several functions.
 *
 * @example
 * const lane = makeLane()
 * lane.inFlight // => 0
 */
export const makeLane = (): Lane => ({ inFlight: 0, resume: [] })

export interface BatchSettings {
  /** Maximum number of batches in flight. With 1, calls that arrive during a batch are sent after it. */
  readonly concurrency: number
  /**
   * Maximum time that a call waits for batches in flight, unless a whole batch is waiting, so that more calls share the next
   * one; absent: none. Keep it short: when a batch is lost, other calls wait as long.
   */
  readonly patienceMs?: number
  /** The batches that calls wait for; absent: those of this function. */
  readonly lane?: Lane
  /** Maximum number of items per batch. */
  readonly maxItems: number
  /** Maximum time that a call waits to be sent. */
  readonly timeoutMs: number
  /** Receives the number of items of each batch that is sent. */
  readonly observe?: ((items: number) => void) | undefined
}

/**
 * Turns a function of many items, which returns one result per item in order, into a function of one item. A batch is sent
 * after all of its calls have arrived, so it sees everything that was acknowledged before any of them.
 *
 * @example
 * const double = batch(async (items: readonly number[]) => items.map((item) => 2 * item), {
 *   concurrency: 1,
 *   maxItems: 100,
 *   timeoutMs: 1_000,
 * })
 * await Promise.all([double(1), double(2)]) // => [2, 4]
 */
export const batch = <A, B>(
  send: (items: readonly A[]) => Promise<readonly B[]>,
  { concurrency, patienceMs = 0, lane = makeLane(), maxItems, timeoutMs, observe }: BatchSettings,
): ((item: A) => Promise<B>) => {
  let waiting: WaitingCall<A, B>[] = []
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined

  const settle = async (calls: readonly WaitingCall<A, B>[]): Promise<void> => {
    try {
      const results = await send(calls.map(({ item }) => item))
      for (const [at, { resolve, reject }] of calls.entries()) {
        const result = results[at]
        if (result === undefined) reject(new Error('a batch returned fewer results than items'))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  const sendNext = (): void => {
    const calls = rejectExpired(waiting.slice(0, maxItems), timeoutMs)
    waiting = waiting.slice(maxItems)
    if (calls.length === 0) return
    inFlight += 1
    lane.inFlight += 1
    observe?.(calls.length)
    void settle(calls).then(() => {
      inFlight -= 1
      lane.inFlight -= 1
      for (const resume of lane.resume) resume()
    })
  }

  const start = (): void => {
    for (let [first] = waiting; first !== undefined && inFlight < concurrency; [first] = waiting) {
      const isHeldUp = lane.inFlight > 0 && waiting.length < maxItems
      const heldUpMs = isHeldUp ? first.arrivedAt + patienceMs - performance.now() : 0
      if (heldUpMs > 0) {
        startIn(heldUpMs)
        return
      }
      sendNext()
    }
  }

  const startIn = (milliseconds: number): void => {
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      start()
    }, milliseconds)
  }

  lane.resume.push(start)

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, arrivedAt: performance.now(), resolve, reject })
      // in a microtask, so that callers that were resolved together are sent together
      if (waiting.length === 1 || waiting.length === maxItems) queueMicrotask(start)
    })
}
