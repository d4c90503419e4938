// One listener of the feed: Server-Sent Events (WHATWG HTML §9.2) until the client leaves, its key or time ends or we stop.
import type { CloudEventSettings } from '../../../domain/events/cloud-event.js'
import { type FeedStart, positionText } from '../../../domain/events/read-feed.js'
import type { Clock } from '../../../ports/clock.js'
import type { Crypto } from '../../../ports/crypto.js'
import type { Reply } from '../messages/message.js'
import type { FeedChunk, FeedTail } from './feed-tail.js'

export interface ListenerSettings extends CloudEventSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly randomBytes: Crypto['randomBytes']
  readonly start: FeedStart
  /** Whether the client sent no position; the first block then tells it one. */
  readonly isNew: boolean
  readonly isKeyGood: () => Promise<boolean>
  readonly stopping: AbortSignal
  /** Called once, when the stream ends, even if it was never read. */
  readonly onClose: () => void
  readonly onEvents: (count: number) => void
}

/** Interval at which a silent stream repeats its position, so that proxies and clients see that it is alive. */
const SILENCE_MS = 15_000
/** A stream ends after this time, because the kernel takes heartbeats for a quarter of an hour after a network is gone. */
const MAX_STREAM_MS = 600_000
/** At most this much earlier, at random, so that listeners that came together do not return together. */
const SPREAD_MS = 60_000
/** Milliseconds before a client reconnects. */
const RETRY = 'retry: 1000\n\n'

const encoder = new TextEncoder()

export const makeEventStream = (tail: FeedTail, settings: ListenerSettings): Pick<Reply, 'body' | 'events'> => {
  const { clock, randomBytes, start, isNew, isKeyGood, stopping, onClose, onEvents } = settings
  const chunkSettings = { ...settings, logId: start.logId }
  let events = 0
  let isClosed = false

  async function* parts(): AsyncGenerator<Uint8Array, void> {
    const here = (number: number): string => `id: ${positionText(start.logId, number)}\n\n`
    let { number } = start
    let sentAt = clock.monotonicMs()
    const [random = 0] = randomBytes(1)
    const endsAt = sentAt + MAX_STREAM_MS - SPREAD_MS * (random / 256)
    let last: FeedChunk | undefined
    yield encoder.encode(`${isNew ? here(number) : ''}${RETRY}`)
    while (!isClosed && !stopping.aborted && clock.monotonicMs() < endsAt) {
      const chunk = await tail.next(number, chunkSettings, last)
      last = chunk
      const now = clock.monotonicMs()
      // a good key is cached for 4 s and `next` takes at most 0.5 s: a revoked key ends its streams within 5 s
      if (!(await isKeyGood())) return
      number = chunk.upTo
      if (chunk.events === 0 && now - sentAt < SILENCE_MS) continue
      sentAt = now
      events += chunk.events
      if (chunk.events > 0) onEvents(chunk.events)
      yield chunk.events > 0 ? chunk.bytes : encoder.encode(here(number))
    }
    if (stopping.aborted) yield encoder.encode(RETRY)
  }

  const stream = parts()
  const close = (): void => {
    if (!isClosed) onClose()
    isClosed = true
  }
  return {
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => stream.next(),
        // not the generator's own `return`, which waits for the pending part
        return: async () => {
          close()
          return { done: true, value: undefined }
        },
      }),
    },
    events: () => events,
  }
}
