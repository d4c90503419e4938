// Batches calls that arrive while earlier batches are in flight. A lone call is sent immediately.
/** Batches in flight that calls of several functions wait for. */
export interface SharedLimit {
  inFlight: number
  /** Called when a batch has returned. */
  readonly resume: (() => void)[]
}

export interface BatchSettings {
  /** Maximum number of batches in flight. With 1, calls that arrive during a batch are sent after it. */
  readonly concurrency: number
  /** The same for batches with one key: less than `concurrency`, so that one key never blocks the others. */
  readonly concurrencyPerKey?: number
  /** Maximum number of items per batch. */
  readonly maxItems?: number
  /**
   * Maximum time that a call waits for batches in flight, unless a whole batch is waiting, so that more calls share the next
   * one; absent: none. Keep it short: when a batch is lost, other calls wait as long.
   */
  readonly patienceMs?: number
  /** The batches that calls wait for; absent: those of this function. */
  readonly limit?: SharedLimit
  /** Maximum time that a call waits to be sent. */
  readonly timeoutMs: number
  /** Receives the number of calls of each batch that is sent. */
  readonly observe?: ((calls: number) => void) | undefined
}

/** For reads. The patience is longer than most take: of 32 calls at once, each takes half the CPU (measured). */
export const READ_BATCHES = { concurrency: 4, patienceMs: 5, maxItems: 100 } as const satisfies Partial<BatchSettings>

interface Call<A, B> {
  readonly item: A
  /** In milliseconds on the monotonic clock. */
  readonly arrivedAt: number
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** The calls with one key. */
interface Group<A, B> {
  waiting: Call<A, B>[]
  inFlight: number
}

/** `remainingMs`: until the last of the calls gives up. */
type Send<A, B> = (items: readonly A[], remainingMs: number) => Promise<readonly B[]>

/** Only calls with the same key share a batch. */
const batchPerKey = <A, B>(keyOf: (item: A) => string, send: Send<A, B>, settings: BatchSettings) => {
  const { concurrency, concurrencyPerKey = concurrency, maxItems = Number.POSITIVE_INFINITY, observe } = settings
  const { patienceMs = 0, limit = { inFlight: 0, resume: [] }, timeoutMs } = settings
  const groups = new Map<string, Group<A, B>>()
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined

  /** Takes the calls of a batch; those that have waited longer than the timeout are rejected, because their callers have given up. */
  const take = (group: Group<A, B>): readonly Call<A, B>[] => {
    const oldest = performance.now() - timeoutMs
    return group.waiting.splice(0, maxItems).filter(({ arrivedAt, reject }) => {
      if (arrivedAt < oldest) reject(new Error(`not sent within ${timeoutMs} ms`))
      return arrivedAt >= oldest
    })
  }

  const settle = async (calls: readonly Call<A, B>[], last: Call<A, B>): Promise<void> => {
    try {
      const items = calls.map(({ item }) => item)
      const results = await send(items, last.arrivedAt + timeoutMs - performance.now())
      if (results.length < calls.length) throw new Error('a batch returned fewer results than items')
      for (const [at, { resolve }] of calls.entries()) resolve(results[at] as B)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  const sendNext = (key: string, group: Group<A, B>): void => {
    const calls = take(group)
    const last = calls.at(-1)
    if (last === undefined) {
      if (group.inFlight === 0 && group.waiting.length === 0) groups.delete(key)
      return
    }
    inFlight += 1
    group.inFlight += 1
    limit.inFlight += 1
    observe?.(calls.length)
    void settle(calls, last).then(() => {
      inFlight -= 1
      group.inFlight -= 1
      limit.inFlight -= 1
      // the keys take turns: this one moves to the end, or is removed if no call is left
      groups.delete(key)
      if (group.inFlight > 0 || group.waiting.length > 0) groups.set(key, group)
      for (const resume of limit.resume) resume()
    })
  }

  const start = (): void => {
    for (const [key, group] of groups) {
      for (let [first] = group.waiting; first !== undefined; [first] = group.waiting) {
        if (inFlight >= concurrency) return
        if (group.inFlight >= concurrencyPerKey) break
        const isHeldUp = limit.inFlight > 0 && group.waiting.length < maxItems
        const heldUpMs = isHeldUp ? first.arrivedAt + patienceMs - performance.now() : 0
        if (heldUpMs > 0) {
          clearTimeout(timer)
          timer = setTimeout(start, heldUpMs)
          break
        }
        sendNext(key, group)
      }
    }
  }

  limit.resume.push(start)

  return (item: A): Promise<B> =>
    new Promise((resolve, reject) => {
      const key = keyOf(item)
      const group = groups.get(key) ?? { waiting: [], inFlight: 0 }
      groups.set(key, group)
      group.waiting.push({ item, arrivedAt: performance.now(), resolve, reject })
      // in a microtask, so that callers that were resolved together are sent together
      if (group.waiting.length === 1 || group.waiting.length === maxItems) queueMicrotask(start)
    })
}

/**
 * Turns a function of many items, which returns one result per item in order, into a function of one item. A batch is sent
 * after all of its calls have arrived, so it sees everything that was acknowledged before any of them.
 */
export const batch = <A, B>(send: Send<A, B>, settings: BatchSettings): ((item: A) => Promise<B>) =>
  batchPerKey(() => '', send, settings)

/** Deduplicates: waiting calls with the same key share one load, which starts after all of them have arrived. */
export const dedupe = <A, B>(
  keyOf: (item: A) => string,
  load: (item: A, remainingMs: number) => Promise<B>,
  settings: BatchSettings,
): ((item: A) => Promise<B>) => {
  const send: Send<A, B> = async (items, remainingMs) => {
    const result = await load(items.at(-1) as A, remainingMs)
    return items.map(() => result)
  }
  return batchPerKey(keyOf, send, settings)
}
