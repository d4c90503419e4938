// Batches calls that arrive while earlier batches are in flight. A lone call is sent immediately.

/** The batches in flight of several functions, which wait for each other. */
export interface SharedLimit {
  inFlight: number
  readonly resume: (() => void)[]
}

export interface BatchSettings {
  /** Maximum number of batches in flight. With 1, calls that arrive during a batch are sent after it. */
  readonly concurrency: number
  readonly maxItems?: number
  /** Maximum time that a call waits for batches in flight, so that more calls share the next one. */
  readonly gatherMs?: number
  /** Default: only the batches of this function. */
  readonly limit?: SharedLimit
  /** Maximum time that a call waits to be sent. */
  readonly timeoutMs: number
  readonly observe?: ((calls: number) => void) | undefined
}

/** For reads. Most take less than the patience, which halves the CPU per call at 32 concurrent calls (measured). */
export const READ_BATCHES = { concurrency: 4, gatherMs: 5, maxItems: 100 } as const satisfies Partial<BatchSettings>

interface Call<A, B> {
  readonly key: string | undefined
  readonly item: A
  readonly arrivedAt: number
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** `remainingMs`: time until the last of the calls gives up. */
type Send<A, B> = (items: readonly A[], remainingMs: number) => Promise<readonly B[]>

/**
 * Turns a function of many items, which returns one result per item in order, into a function of one item. A batch is
 * sent after all of its calls have arrived, so it sees everything that was acknowledged before any of them. `keyOf`:
 * only calls with the same key share a batch, and each key has at most one batch in flight.
 */
export const batch = <A, B>(send: Send<A, B>, settings: BatchSettings, keyOf?: (item: A) => string) => {
  const { concurrency, maxItems = Number.POSITIVE_INFINITY, gatherMs = 0, timeoutMs, observe } = settings
  const { limit = { inFlight: 0, resume: [] } } = settings
  let waiting: Call<A, B>[] = []
  const inFlight: (string | undefined)[] = []
  let timer: NodeJS.Timeout | undefined

  const sendCalls = async (calls: readonly Call<A, B>[]): Promise<void> => {
    const oldest = performance.now() - timeoutMs
    const sent = calls.filter(({ arrivedAt, reject }) => {
      // the caller has given up
      if (arrivedAt < oldest) reject(new Error(`not sent within ${timeoutMs} ms`))
      return arrivedAt >= oldest
    })
    const last = sent.at(-1)
    if (last === undefined) return
    inFlight.push(last.key)
    limit.inFlight += 1
    observe?.(sent.length)
    try {
      const items = sent.map(({ item }) => item)
      const results = await send(items, last.arrivedAt + timeoutMs - performance.now())
      if (results.length < sent.length) throw new Error('a batch returned fewer results than items')
      for (const [at, { resolve }] of sent.entries()) resolve(results[at] as B)
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
    inFlight.splice(inFlight.indexOf(last.key), 1)
    limit.inFlight -= 1
    for (const resume of limit.resume) resume()
  }

  const start = (): void => {
    while (inFlight.length < concurrency) {
      // the key of the oldest call goes first, so that keys take turns
      const first = waiting.find(({ key }) => key === undefined || !inFlight.includes(key))
      if (first === undefined) return
      const calls = new Set(waiting.filter(({ key }) => key === first.key).slice(0, maxItems))
      const isHeldUp = limit.inFlight > 0 && calls.size < maxItems
      const heldUpMs = isHeldUp ? first.arrivedAt + gatherMs - performance.now() : 0
      if (heldUpMs > 0) {
        clearTimeout(timer)
        timer = setTimeout(start, heldUpMs)
        return
      }
      waiting = waiting.filter((call) => !calls.has(call))
      void sendCalls([...calls])
    }
  }

  limit.resume.push(start)

  return (item: A): Promise<B> =>
    new Promise((resolve, reject) => {
      waiting.push({ key: keyOf?.(item), item, arrivedAt: performance.now(), resolve, reject })
      // in a microtask, so that callers that resume together share a batch
      if (keyOf !== undefined || waiting.length === 1 || waiting.length === maxItems) queueMicrotask(start)
    })
}

/** Deduplicates: waiting calls with one key share the next load, which begins when the previous one has ended. */
export const dedupe = <A, B>(
  keyOf: (item: A) => string,
  load: (item: A, remainingMs: number) => Promise<B>,
  settings: Omit<BatchSettings, 'maxItems' | 'gatherMs' | 'limit'>,
): ((item: A) => Promise<B>) => {
  const send: Send<A, B> = async (items, remainingMs) => {
    const result = await load(items.at(-1) as A, remainingMs)
    return items.map(() => result)
  }
  return batch(send, settings, keyOf)
}
