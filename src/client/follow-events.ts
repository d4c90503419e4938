// Follows events over a stream, reconnecting when it breaks, or over pages if streams do not get through.
import { parseJson } from '../domain/json/parse-json.js'
import type { ClientError, Result } from './client-error.js'
import { listen } from './listen.js'
import { eventOf, nextOf, type PetCreated } from './pet.js'
import { pause } from './platform.js'
import { type Caller, failed, retriesAfter, send, succeeded, unexpectedReply, waitAfter } from './send.js'

export interface EventsOptions {
  /** The position of an earlier event, or `oldest`. Default: only events that happen from now on. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const OLDEST = 'oldest'
const LATEST = 'latest'
const UNREADABLE = unexpectedReply({ status: 200, requestId: undefined, retryAfterMs: undefined }, 'a readable event')
const POLL_MS = 1_000
/** Milliseconds for which pages are read before a stream is tried again. */
const PAGES_MS = 30_000

/** Ends only when `signal` aborts or no retry can help. The error is the last element, unless the caller has left. */
async function* eventsOf(
  caller: Caller,
  after: string | undefined,
  signal: AbortSignal,
  hasLeft: () => boolean,
): AsyncGenerator<Result<PetCreated>, void> {
  const { base, platform, backOff } = caller
  let position = after === OLDEST ? undefined : (after ?? LATEST)
  let pagesUntil = 0
  /** Failures since the last success: `failures`, for the back-off, and `limited`, those with a limit of retries. */
  let [failures, limited] = [0, 0]

  const hasPosition = (): boolean => position !== undefined && position !== LATEST

  const worked = (): void => {
    failures = 0
    limited = 0
  }

  const url = (limit?: number): string => {
    const to = new URL(`${base}/events`)
    if (limit !== undefined) to.searchParams.set('limit', String(limit))
    if (position !== undefined) to.searchParams.set('after', position)
    return to.href
  }

  /** Yields events until the connection ends. Returns the error; undefined to try pages. */
  async function* overStream(): AsyncGenerator<Result<PetCreated>, ClientError | undefined> {
    const openedAt = platform.now()
    for await (const block of listen(caller, { url: url(), headers: { Accept: 'text/event-stream' } }, signal)) {
      if ('error' in block) {
        if (!block.isHopeless) return block.error
        pagesUntil = platform.now() + PAGES_MS
        return undefined
      }
      const { id, data } = block
      limited = 0
      // not yet a success: a stream that always breaks after its first block must be reopened with back-off
      if (data !== '' || platform.now() - openedAt > backOff.maxMs) worked()
      if (data !== '') {
        const json = parseJson(data)
        const event = json._tag === 'Right' ? eventOf(json.right, id ?? '') : undefined
        if (event === undefined) break
        if (event !== 'other') yield succeeded(event)
      }
      position = id ?? position
    }
    return UNREADABLE
  }

  /** Yields the events of one page. Returns the error, or `end` at the end of the log. */
  async function* overPage(): AsyncGenerator<Result<PetCreated>, ClientError | 'end' | undefined> {
    // one event is enough for a first position, at which a stream can continue
    const result = await send(caller, { url: url(hasPosition() ? 100 : 1) }, { signal })
    if (!result.ok) return result.error
    const next = new URLSearchParams(nextOf(result.value.headers, base)).get('after')
    const { json } = result.value
    if (next === null || !Array.isArray(json)) return unexpectedReply(result.value, 'a page of events')
    for (const [at, value] of json.entries()) {
      // the next request reports it
      if (signal.aborted) return undefined
      // pages have a position only at their end
      const event = eventOf(value, at === json.length - 1 ? next : (position ?? OLDEST))
      if (event === undefined) return UNREADABLE
      if (event !== 'other') yield succeeded(event)
    }
    const isLast = next === position
    position = next
    worked()
    return isLast ? 'end' : undefined
  }

  for (;;) {
    // begins with a page for its position: there may be no stream to get one from
    const end = yield* !hasPosition() || platform.now() < pagesUntil ? overPage() : overStream()
    if (end === undefined) continue
    if (end === 'end') {
      await pause(caller, POLL_MS, signal)
      continue
    }
    const retries = retriesAfter(end)
    failures += 1
    if (retries < Number.POSITIVE_INFINITY) limited += 1
    if (limited > retries) {
      if (!hasLeft()) yield failed(end)
      return
    }
    await pause(caller, waitAfter(end, failures, caller), signal)
  }
}

/** Yields each event once, in order. `return` ends a pending `next` at once; a generator's would wait for an event. */
export const followEvents = (caller: Caller, { after, signal }: EventsOptions): AsyncIterable<Result<PetCreated>> => {
  const ending = new AbortController()
  let hasLeft = false

  async function* untilAborted(): AsyncGenerator<Result<PetCreated>, void> {
    const abort = (): void => ending.abort(signal?.reason)
    // holds the signal: Node 20 collects a time limit that nobody holds, and it never aborts
    const undo = signal === undefined ? undefined : caller.onAbort(signal, abort)
    try {
      if (signal?.aborted === true) abort()
      yield* eventsOf(caller, after, ending.signal, () => hasLeft)
    } finally {
      undo?.()
    }
  }

  const events = untilAborted()
  const end = events.return.bind(events)
  return Object.assign(events, {
    return: () => {
      hasLeft = true
      ending.abort()
      return end()
    },
  })
}
