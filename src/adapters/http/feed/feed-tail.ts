// Watches the end of the log with one poll for all listeners of the process, and with none if nobody listens.
import * as E from 'fp-ts/lib/Either.js'
import type { Unavailable } from '../../../domain/errors.js'
import { type CloudEventSettings, cloudEventJson, cloudEventType } from '../../../domain/events/cloud-event.js'
import { eventNumber } from '../../../domain/events/domain-event.js'
import { type Feed, positionText } from '../../../domain/events/read-feed.js'
import { type Limit, MAX_LIMIT } from '../../../domain/pets/pet-query.js'
import { setBounded } from '../../../domain/set-bounded.js'
import { makeInTurn } from './in-turn.js'

/** A part of the feed as Server-Sent Events; listeners share its bytes. */
export interface FeedChunk {
  readonly bytes: Uint8Array
  readonly events: number
  /** The number after which the next chunk begins. */
  readonly upTo: number
}

interface ChunkSettings extends CloudEventSettings {
  readonly logId: string
}

/** A chunk without the source, which may differ between listeners: the texts between which it stands. */
interface KeptChunk {
  readonly texts: readonly string[]
  readonly upTo: number
  /** For the listener that asked last. */
  source: string
  bytes: Uint8Array
}

/** Interval of polls for the events of other processes. */
const POLL_MS = 500
/** Creates of this process within this time share a chunk, so that a listener gets at most 25 writes per second. */
const GATHER_MS = 40
/** Events of a listener's first chunk: few, because all who come back together want theirs at once. */
const FIRST_EVENTS = 20
/** Cached chunks, for listeners that are a little behind. */
const KEPT_CHUNKS = 64

const NO_BYTES = new Uint8Array()
const NO_SOURCE = '"source":""'

const encoder = new TextEncoder()

export const makeFeedTail = (feed: Pick<Feed, 'readAfter'>) => {
  // never stale, because the events of a chunk are final
  const kept = new Map<string, Promise<E.Either<Unavailable, KeptChunk>>>()
  let waiting: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let lookedAt = 0
  let isLooking = false
  let isWoken = false
  const inTurn = makeInTurn()
  /** `seen`: the highest number that a read has returned. `end`: where the latest read found nothing more. */
  let seen = 0
  let end = -1

  /** Lets all waiting calls of `next` return. */
  const release = (): void => {
    const released = waiting
    waiting = []
    for (const resolve of released) resolve()
  }

  const look = async (): Promise<void> => {
    isLooking = true
    isWoken = false
    lookedAt = performance.now()
    // ignored here, because a defect is reported when a listener reads
    const page = await feed
      .readAfter(seen, 1)()
      .catch(() => undefined)
    isLooking = false
    if (page !== undefined && E.isRight(page)) seen = Math.max(seen, page.right.upTo)
    clearTimeout(timer)
    timer = undefined
    release()
  }

  const tick = (): void => {
    timer = undefined
    if (waiting.length === 0) return
    if (isLooking) {
      // a slow store must not keep listeners from their heartbeats
      release()
      return
    }
    void look()
    plan()
  }

  const plan = (): void => {
    const isSoon = isWoken && !isLooking
    timer ??= setTimeout(tick, isSoon ? Math.max(0, lookedAt + GATHER_MS - performance.now()) : POLL_MS)
  }

  const read = async (
    number: number,
    settings: ChunkSettings,
    limit: Limit,
  ): Promise<E.Either<Unavailable, KeptChunk>> => {
    const page = await feed.readAfter(number, limit)()
    if (E.isLeft(page)) return page
    const { events, upTo, isFull } = page.right
    seen = Math.max(seen, upTo)
    if (!isFull) end = upTo
    const texts = ['']
    for (const event of events) {
      const json = cloudEventJson(event, { ...settings, source: '' })
      // the first: quotes in a value before it would be escaped
      const at = json.indexOf(NO_SOURCE) + NO_SOURCE.length - 1
      const id = positionText(settings.logId, eventNumber(event))
      texts[texts.length - 1] += `id: ${id}\nevent: ${cloudEventType(event._tag, settings)}\ndata: ${json.slice(0, at)}`
      texts.push(`${json.slice(at)}\n\n`)
    }
    return E.right({ texts, upTo, source: '', bytes: NO_BYTES })
  }

  const keptAfter = (
    number: number,
    settings: ChunkSettings,
    limit: Limit,
  ): Promise<E.Either<Unavailable, KeptChunk>> => {
    const name = `${positionText(settings.logId, number)} ${limit}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const chunk = read(number, settings, limit)
    const forget = (): void => void kept.delete(name)
    // an empty chunk is not final: events may follow its number
    chunk.then((result) => (E.isLeft(result) || result.right.texts.length === 1) && forget(), forget)
    setBounded(kept, KEPT_CHUNKS, name, chunk)
    return chunk
  }

  const chunkAfter = async (number: number, settings: ChunkSettings, limit: Limit): Promise<FeedChunk | undefined> => {
    const found = await keptAfter(number, settings, limit)
    if (E.isLeft(found) || found.right.upTo <= number) return undefined
    const chunk = found.right
    if (chunk.source !== settings.source) {
      chunk.source = settings.source
      chunk.bytes = encoder.encode(chunk.texts.join(JSON.stringify(settings.source).slice(1, -1)))
    }
    return { bytes: chunk.bytes, events: chunk.texts.length - 1, upTo: chunk.upTo }
  }

  return {
    /** Call this after each create. */
    wake: (): void => {
      isWoken = true
      if (timer === undefined || isLooking) return
      clearTimeout(timer)
      timer = undefined
      plan()
    },
    /** The events after a number, or none after half a second. `before`: the last chunk of this listener. */
    next: async (number: number, settings: ChunkSettings, before: FeedChunk | undefined): Promise<FeedChunk> => {
      if (number !== end || number < seen) {
        const limit = before === undefined ? FIRST_EVENTS : MAX_LIMIT
        const make = () => chunkAfter(number, settings, limit)
        // a listener at the end of the log does not wait for those that are catching up
        const chunk = await (before?.events === 0 ? make() : inTurn(make, before === undefined))
        if (chunk !== undefined) return chunk
      }
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        plan()
      })
      return { bytes: NO_BYTES, events: 0, upTo: number }
    },
    release,
  }
}

export type FeedTail = ReturnType<typeof makeFeedTail>
