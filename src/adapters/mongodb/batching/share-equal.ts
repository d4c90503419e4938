// Deduplicates: concurrent calls with the same key share one result, and only a few results are loaded at once.
import { rejectExpired, type WaitingCall } from './waiting-call.js'

export interface ShareSettings {
  /** Maximum number of loads in flight. */
  readonly concurrency: number
  /** Maximum number of loads in flight with the same key: less than `concurrency`, so that one key never blocks the others. */
  readonly concurrencyPerKey: number
  /** Maximum time that a call takes. */
  readonly timeoutMs: number
  /** Receives the number of calls of each load. */
  readonly observe?: ((calls: number) => void) | undefined
}

interface Group<A, B> {
  waiting: WaitingCall<A, B>[]
  inFlight: number
}

/**
 * Calls `load` once for all waiting calls with the same key. A load starts after all of its calls have arrived, so it sees
 * everything that was acknowledged before any of them. `remainingMs` is the time until the last of them gives up.
 *
 * @example
 * let loads = 0
 * const load = shareEqual(String, async (item: number) => { loads += 1; return 2 * item }, {
 *   concurrency: 2,
 *   concurrencyPerKey: 1,
 *   timeoutMs: 1_000,
 * })
 * await Promise.all([load(1), load(1)]) // => [2, 2]
 * loads // => 1
 */
export const shareEqual = <A, B>(
  keyOf: (item: A) => string,
  load: (item: A, remainingMs: number) => Promise<B>,
  { concurrency, concurrencyPerKey, timeoutMs, observe }: ShareSettings,
): ((item: A) => Promise<B>) => {
  const groups = new Map<string, Group<A, B>>()
  let inFlight = 0

  const settle = async (calls: readonly WaitingCall<A, B>[], last: WaitingCall<A, B>): Promise<void> => {
    try {
      const result = await load(last.item, last.arrivedAt + timeoutMs - performance.now())
      for (const { resolve } of calls) resolve(result)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  const send = (key: string, group: Group<A, B>): void => {
    const calls = rejectExpired(group.waiting, timeoutMs)
    group.waiting = []
    const last = calls.at(-1)
    if (last === undefined) {
      if (group.inFlight === 0) groups.delete(key)
      return
    }
    inFlight += 1
    group.inFlight += 1
    observe?.(calls.length)
    void settle(calls, last).then(() => {
      inFlight -= 1
      group.inFlight -= 1
      // the keys take turns: this one moves to the end, or is removed if no call is left
      groups.delete(key)
      if (group.inFlight > 0 || group.waiting.length > 0) groups.set(key, group)
      start()
    })
  }

  const start = (): void => {
    for (const [key, group] of groups) {
      if (inFlight >= concurrency) return
      if (group.waiting.length > 0 && group.inFlight < concurrencyPerKey) send(key, group)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const key = keyOf(item)
      const group = groups.get(key) ?? { waiting: [], inFlight: 0 }
      groups.set(key, group)
      group.waiting.push({ item, arrivedAt: performance.now(), resolve, reject })
      // in a microtask, so that callers that were resolved together are sent together
      if (group.waiting.length === 1) queueMicrotask(start)
    })
}
