// One listener of the feed: Server-Sent Events (WHATWG HTML §9.2) until the client leaves, its key ends or the service stops.
import type { CloudEventSettings } from '../../../domain/events/cloud-event.js'
import { type FeedStart, positionText } from '../../../domain/events/read-feed.js'
import type { Clock } from '../../../ports/clock.js'
import type { Reply } from '../messages/message.js'
import type { FeedTail } from './feed-tail.js'

export interface ListenerSettings extends CloudEventSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly start: FeedStart
  /** Whether the client came without a position: the first block gives it one. */
  readonly isNew: boolean
  readonly isKeyGood: () => Promise<boolean>
  readonly stopping: AbortSignal
  /** Called once, when the stream is over or was never read. */
  readonly onClose: () => void
  readonly onEvents: (count: number) => void
}

/** A silent stream repeats its position this often, so that proxies and clients see that it is alive. */
const SILENCE_MS = 15_000
/** Valid keys are cached for four seconds: with the interval of `next`, a revoked one ends its streams within five. */
const KEY_CHECK_MS = 250
/** How long a client waits before it connects again. */
const RETRY = 'retry: 1000\n\n'

const encoder = new TextEncoder()

export const makeEventStream = (tail: FeedTail, settings: ListenerSettings): Pick<Reply, 'body' | 'events'> => {
  const { clock, start, isNew, isKeyGood, stopping, onClose, onEvents } = settings
  const chunkSettings = { ...settings, logId: start.logId }
  let events = 0
  let isClosed = false

  async function* parts(): AsyncGenerator<Uint8Array, void> {
    const here = (number: number): string => `id: ${positionText(start.logId, number)}\n\n`
    let { number } = start
    let sentAt = clock.monotonicMs()
    let checkedAt = sentAt
    let hasWaited = false
    yield encoder.encode(`${isNew ? here(number) : ''}${RETRY}`)
    while (!isClosed && !stopping.aborted) {
      const chunk = await tail.next(number, chunkSettings, hasWaited)
      hasWaited = chunk.events === 0
      const now = clock.monotonicMs()
      if (now - checkedAt >= KEY_CHECK_MS) {
        if (!(await isKeyGood())) return
        checkedAt = now
      }
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
        // not the generator's own: that waits for the part that is being made
        return: async () => {
          close()
          return { done: true, value: undefined }
        },
      }),
    },
    events: () => events,
  }
}
