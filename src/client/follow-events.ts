// Follows the events: over a stream, as often as it breaks, and from a position over pages where streams do not get through.
import { parseExactJson } from '../domain/json/parse-json.js'
import { type Call, failed, type Reply, succeeded, unexpectedReply } from './attempt.js'
import type { ClientError, Result } from './client-error.js'
import { type Ended, listen } from './listen.js'
import { eventOf, nextOf, type PetCreated } from './pet.js'
import { type Platform, pause } from './platform.js'
import { type RetrySettings, retriesAfter, waitAfter } from './retries.js'

export interface EventsOptions {
  /** The position of an earlier event, or `oldest`. Without it, the first event is the next one that happens. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FollowSettings extends Pick<RetrySettings, 'attemptTimeoutMs' | 'backOff'> {
  readonly base: string
  readonly apiKey: string
  readonly platform: Platform
  /** Sends a request for a page, with retries. */
  readonly send: (call: Call, signal: AbortSignal) => Promise<Result<Reply>>
}

const OLDEST = 'oldest'
const UNREADABLE: ClientError = {
  _tag: 'unexpected_reply',
  message: 'an event cannot be read',
  status: 200,
  requestId: undefined,
  retryAfterMs: undefined,
}
const POLL_MS = 1_000
/** Time for which pages are read before a stream is tried again. */
const PAGES_MS = 30_000

/** Without an end, until `signal` aborts: with an error as the last element, but not for a caller who has left. */
async function* eventsOf(
  { base, apiKey, platform, attemptTimeoutMs, backOff, send }: FollowSettings,
  after: string | undefined,
  signal: AbortSignal,
  left: AbortSignal,
): AsyncGenerator<Result<PetCreated>, void> {
  let position = after === OLDEST ? undefined : after
  let pagesUntil = 0
  let failures = 0

  const url = (limit?: number): string => {
    const to = new URL(`${base}/events`)
    if (limit !== undefined) to.searchParams.set('limit', String(limit))
    if (position !== undefined) to.searchParams.set('after', position)
    return to.href
  }

  /** Until the connection ends. */
  async function* overStream(): AsyncGenerator<Result<PetCreated>, Ended> {
    const call: Call = { method: 'GET', url: url(), headers: { Accept: 'text/event-stream' } }
    for await (const block of listen(platform, call, { apiKey, signal, firstMs: attemptTimeoutMs })) {
      if ('error' in block) return block
      const { id, data } = block
      failures = 0
      if (data !== '') {
        const json = parseExactJson(data)
        const event = json._tag === 'Right' ? eventOf(json.right, id ?? '') : undefined
        if (event === undefined) break
        if (event !== 'other') yield succeeded(event)
      }
      position = id ?? position
    }
    return { error: UNREADABLE, isHopeless: false }
  }

  /** Returns the number of events, or the error. */
  async function* overPage(limit: number): AsyncGenerator<Result<PetCreated>, number | ClientError> {
    const result = await send({ method: 'GET', url: url(limit) }, signal)
    if (!result.ok) return result.error
    const next = new URLSearchParams(nextOf(result.value.headers, base)).get('after')
    const { json } = result.value
    if (next === null || !Array.isArray(json)) return unexpectedReply(result.value, 'a page of events')
    for (const [at, value] of json.entries()) {
      // only the end of a page is a position
      const event = eventOf(value, at === json.length - 1 ? next : (position ?? OLDEST))
      if (event === undefined) return UNREADABLE
      if (event !== 'other') yield succeeded(event)
    }
    position = next
    failures = 0
    return json.length
  }

  for (;;) {
    let error: ClientError | undefined
    const isAtOldest = position === undefined && after === OLDEST
    if (isAtOldest || platform.now() < pagesUntil) {
      // the link of the oldest event is a position at which a stream can continue
      const result = yield* overPage(isAtOldest ? 1 : 100)
      if (typeof result !== 'number') error = result
      else if (isAtOldest || result > 0) continue
    } else {
      const ended = yield* overStream()
      // pages need a position: without one, they would begin with the oldest event
      if (ended.isHopeless && position !== undefined) {
        pagesUntil = platform.now() + PAGES_MS
        continue
      }
      error = ended.error
    }
    let waitMs = POLL_MS
    if (error !== undefined) {
      failures += 1
      if (failures > retriesAfter(error)) {
        if (!left.aborted) yield failed(error)
        return
      }
      waitMs = waitAfter(error, failures, backOff, platform.random())
    }
    await pause(platform.schedule, waitMs, signal)
  }
}

/** Yields each event once and in order. `return` ends a pending `next` at once, where that of a generator would wait for an event. */
export const followEvents = (
  settings: FollowSettings,
  { after, signal }: EventsOptions,
): AsyncIterableIterator<Result<PetCreated>, void> => {
  const leaving = new AbortController()
  const left = leaving.signal
  const events = eventsOf(settings, after, signal === undefined ? left : AbortSignal.any([left, signal]), left)
  return {
    next: () => events.next(),
    return: () => {
      leaving.abort()
      return events.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
