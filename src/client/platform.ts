// What the client needs from its runtime (tests replace it), and waits based on that.

export interface Platform {
  /** Sends a request, possibly to a service in the same process. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Milliseconds since 1970; must not go back. */
  readonly now: () => number
  /** Calls `run` after the delay, unless the returned function is called first. */
  readonly schedule: (delayMs: number, run: () => void) => () => void
  /** At least 0, less than 1. */
  readonly random: () => number
}

/** 128 random bits; `randomUUID` is missing on pages that were loaded without TLS. */
export const makeIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const webPlatform: Platform = {
  fetch: (request) => fetch(request),
  // unlike Date.now, this never steps back
  now: () => performance.timeOrigin + performance.now(),
  schedule: (delayMs, run) => {
    // the longest delay of a timer, 24 days: a longer one would fire at once
    const timer = setTimeout(run, Math.min(delayMs, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

/** Calls back when a signal aborts, until the returned function is called. */
type OnAbort = (signal: AbortSignal, abort: () => void) => () => void

/**
 * Adds only one listener to each signal, however many calls share it: Node reports more than ten as a leak. Not
 * `AbortSignal.any`, because Node 20 leaks memory for each use while the source signal lives, and does not hold it.
 */
export const makeOnAbort = (): OnAbort => {
  const waiting = new Map<AbortSignal, Set<() => void>>()
  const abortAll = (): void => {
    for (const [signal, aborts] of waiting) if (signal.aborted) for (const abort of aborts) abort()
  }

  return (signal, abort) => {
    const aborts = waiting.get(signal) ?? new Set()
    if (aborts.size === 0) signal.addEventListener('abort', abortAll)
    waiting.set(signal, aborts.add(abort))
    return () => {
      aborts.delete(abort)
      if (aborts.size > 0) return
      waiting.delete(signal)
      signal.removeEventListener('abort', abortAll)
    }
  }
}

export interface Runtime {
  readonly platform: Platform
  readonly onAbort: OnAbort
}

export const LATE = new Error('too late')

/** The result of the work. Rejects after the limit or on an abort, even if `fetch` ignores its signal. */
export const inTime = async <A>(
  { platform, onAbort }: Runtime,
  limitMs: number,
  signal: AbortSignal | undefined,
  work: () => Promise<A>,
): Promise<A> => {
  signal?.throwIfAborted()
  const undo: (() => void)[] = []
  const ended = new Promise<never>((_, reject) => {
    undo.push(platform.schedule(limitMs, () => reject(LATE)))
    if (signal !== undefined) undo.push(onAbort(signal, () => reject(new Error('aborted'))))
  })
  return Promise.race([work(), ended]).finally(() => {
    for (const end of undo) end()
  })
}

/** Resolves after the delay, or at once on an abort. */
export const pause = (runtime: Runtime, delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
  inTime(runtime, delayMs, signal, () => new Promise<never>(() => {})).catch(() => {})
