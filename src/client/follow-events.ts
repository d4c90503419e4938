// Follows the events: over a stream, as often as it breaks, and over pages where streams do not get through.
import { parseExactJson } from '../domain/json/parse-json.js'
import { type Call, failed, type Reply, succeeded, unexpectedReply } from './attempt.js'
import type { ClientError, Result } from './client-error.js'
import { nextOf } from './list.js'
import { type Ended, listen } from './listen.js'
import { eventOf, type PetCreated } from './pet.js'
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
  readonly send: (call: Call) => Promise<Result<Reply>>
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

/** Yields each event once and in order, without an end. An error that no retry can help is the last element. */
export async function* followEvents(
  { base, apiKey, platform, attemptTimeoutMs, backOff, send }: FollowSettings,
  { after, signal }: EventsOptions,
): AsyncGenerator<Result<PetCreated>, void> {
  let position = after === OLDEST ? undefined : after
  let pagesUntil = 0
  let failures = 0
  let isSkipping = false

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
    const result = await send({ method: 'GET', url: url(limit), headers: {} })
    if (!result.ok) return result.error
    const next = new URLSearchParams(nextOf(result.value.headers, base)).get('after')
    const { json } = result.value
    if (next === null || !Array.isArray(json)) return unexpectedReply(result.value, 'a page of events')
    for (const [at, value] of json.entries()) {
      // only the end of a page is a position
      const event = eventOf(value, at === json.length - 1 ? next : (position ?? OLDEST))
      if (event === undefined) return UNREADABLE
      if (event !== 'other' && !isSkipping) yield succeeded(event)
    }
    position = next
    failures = 0
    return json.length
  }

  for (;;) {
    let error: ClientError | undefined
    let waitMs = POLL_MS
    if (position === undefined && after === OLDEST) {
      // its link is a position at which a stream can continue
      const result = yield* overPage(1)
      if (typeof result !== 'number') error = result
      else continue
    } else if (platform.now() < pagesUntil) {
      if (position === undefined) isSkipping = true
      const result = yield* overPage(100)
      if (result === 0) isSkipping = false
      else if (typeof result === 'number') continue
      else error = result
    } else {
      const ended = yield* overStream()
      error = ended.error
      if (ended.isHopeless) {
        pagesUntil = platform.now() + PAGES_MS
        continue
      }
    }
    if (error !== undefined) {
      failures += 1
      if (failures > retriesAfter(error)) {
        yield failed(error)
        return
      }
      waitMs = waitAfter(error, failures, backOff, platform.random())
    }
    await pause(platform.schedule, waitMs, signal)
  }
}
