// Groups what waits while flushes are under way: one command for many callers, and no wait for a lone one.

export interface CoalesceSettings {
  /** How many flushes may be under way at once. With one, what arrives during a flush goes out after its end. */
  readonly flushes: number
  /** How many items one flush takes. */
  readonly size: number
  /** Milliseconds after which a waiting item is not sent any more, because its caller has given up. */
  readonly patience: number
}

interface Waiting<A, B> {
  readonly item: A
  readonly since: number
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/**
 * A function of one item out of a flush of many, which gives one result an item, in their order, or fails for all.
 * A flush starts after all its items have arrived: it sees everything that was answered before any of them.
 */
export const coalesce = <A, B>(
  flush: (items: readonly A[]) => Promise<readonly B[]>,
  { flushes, size, patience }: CoalesceSettings,
): ((item: A) => Promise<B>) => {
  let waiting: Waiting<A, B>[] = []
  let underWay = 0

  const send = async (batch: readonly Waiting<A, B>[]): Promise<void> => {
    try {
      const results = await flush(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result === undefined) reject(new Error('a flush gave fewer results than items'))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const start = (): void => {
    while (underWay < flushes && waiting.length > 0) {
      const oldest = performance.now() - patience
      const batch = waiting.slice(0, size)
      waiting = waiting.slice(size)
      const live = batch.filter(({ since }) => since >= oldest)
      for (const { since, reject } of batch) if (since < oldest) reject(new Error(`not sent within ${patience} ms`))
      if (live.length === 0) continue
      underWay += 1
      void send(live).then(() => {
        underWay -= 1
        start()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject })
      // at the end of this turn, so that callers who were answered together go on together
      if (waiting.length === 1) queueMicrotask(start)
    })
}

/** The same for calls whose equals share one result; calls that differ know nothing of each other. */
export const coalesceEqual = <A, B>(
  keyOf: (item: A) => string,
  load: (item: A) => Promise<B>,
  settings: CoalesceSettings,
): ((item: A) => Promise<B>) => {
  const groups = new Map<string, { readonly join: (item: A) => Promise<B>; callers: number }>()
  return async (item) => {
    const key = keyOf(item)
    const loadOnce = async (items: readonly A[]): Promise<readonly B[]> => {
      const result = await load(item)
      return items.map(() => result)
    }
    const group = groups.get(key) ?? { join: coalesce(loadOnce, settings), callers: 0 }
    groups.set(key, group)
    group.callers += 1
    try {
      return await group.join(item)
    } finally {
      group.callers -= 1
      if (group.callers === 0) groups.delete(key)
    }
  }
}
