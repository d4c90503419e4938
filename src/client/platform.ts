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

/** Aborts a controller with a signal, until the returned function is called. */
export type Link = (signal: AbortSignal, controller: AbortController) => () => void

/**
 * Adds only one listener to each signal, however many calls share it: Node reports more than ten as a leak. Not
 * `AbortSignal.any`, because Node 20 leaks memory for each use while the source signal lives.
 */
export const makeLink = (): Link => {
  const linked = new Map<AbortSignal, { readonly controllers: Set<AbortController>; readonly abort: () => void }>()

  const listenTo = (signal: AbortSignal) => {
    const controllers = new Set<AbortController>()
    const abort = (): void => {
      for (const controller of controllers) controller.abort(signal.reason)
    }
    signal.addEventListener('abort', abort)
    const link = { controllers, abort }
    linked.set(signal, link)
    return link
  }

  return (signal, controller) => {
    const { controllers, abort } = linked.get(signal) ?? listenTo(signal)
    controllers.add(controller)
    if (signal.aborted) abort()
    return () => {
      controllers.delete(controller)
      if (controllers.size > 0) return
      linked.delete(signal)
      signal.removeEventListener('abort', abort)
    }
  }
}

/** Why `inTime` rejects after the limit. */
export const LATE = new Error('too late')

/** The result of the work. Rejects after the limit or on an abort, even if `fetch` ignores its signal. */
export const inTime = async <A>(
  schedule: Platform['schedule'],
  limitMs: number,
  signal: AbortSignal | undefined,
  work: () => Promise<A>,
): Promise<A> => {
  signal?.throwIfAborted()
  const over = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    const cancel = schedule(limitMs, () => reject(LATE))
    over.signal.addEventListener('abort', cancel)
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { signal: over.signal })
  })
  return Promise.race([work(), ended]).finally(() => over.abort())
}

/** Resolves after the delay, or at once on an abort. */
export const pause = (
  schedule: Platform['schedule'],
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> => inTime(schedule, delayMs, signal, () => new Promise<never>(() => {})).catch(() => {})
