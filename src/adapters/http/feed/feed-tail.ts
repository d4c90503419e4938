// Watches the end of the log with one poll for all listeners of the process, and with none if nobody listens.
import * as E from 'fp-ts/lib/Either.js'
import type { Unavailable } from '../../../domain/errors.js'
import { type CloudEventSettings, cloudEventJson, cloudEventType } from '../../../domain/events/cloud-event.js'
import { eventNumber } from '../../../domain/events/domain-event.js'
import { type Feed, positionText } from '../../../domain/events/read-feed.js'
import { MAX_LIMIT } from '../../../domain/pets/pet-query.js'
import { setBounded } from '../../../domain/set-bounded.js'

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

/** Interval of polls for the events of other processes. */
const POLL_MS = 500
/** Creates of this process within this time share a chunk, so that a listener gets at most 25 writes per second. */
const GATHER_MS = 40
/** Chunks that all streams together take per turn of the event loop, so that other requests get theirs. */
const MAX_PER_TURN = 10
/** Cached chunks, for listeners that are a little behind. */
const KEPT_CHUNKS = 64

const NO_BYTES = new Uint8Array()

const encoder = new TextEncoder()

export const makeFeedTail = (feed: Pick<Feed, 'readAfter'>) => {
  // never stale, because the events of a chunk are final
  const kept = new Map<string, Promise<E.Either<Unavailable, FeedChunk>>>()
  let waiting: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let lookedAt = 0
  let isLooking = false
  let isWoken = false
  let taken = 0
  let turn: Promise<void> | undefined
  /** `seen`: the highest number that a read has returned. `end`: the highest after which a read found nothing more. */
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

  /** Limits listeners that catch up: their chunks are ready at once, and would block others until sockets are full. */
  const untilTurn = async (): Promise<void> => {
    while (taken >= MAX_PER_TURN) await turn
    taken += 1
    turn ??= new Promise((resolve) => {
      // not `setImmediate`, which only Node has
      setTimeout(() => {
        taken = 0
        turn = undefined
        resolve()
      })
    })
  }

  const read = async (number: number, settings: ChunkSettings): Promise<E.Either<Unavailable, FeedChunk>> => {
    const page = await feed.readAfter(number, MAX_LIMIT)()
    if (E.isLeft(page)) return page
    const { events, upTo, isFull } = page.right
    seen = Math.max(seen, upTo)
    if (!isFull) end = Math.max(end, upTo)
    const blocks = events.map(
      (event) =>
        `id: ${positionText(settings.logId, eventNumber(event))}\nevent: ${cloudEventType(event._tag, settings)}\ndata: ${cloudEventJson(event, settings)}\n\n`,
    )
    return E.right({ bytes: encoder.encode(blocks.join('')), events: events.length, upTo })
  }

  const chunkAfter = (number: number, settings: ChunkSettings): Promise<E.Either<Unavailable, FeedChunk>> => {
    const name = `${settings.source} ${number}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const chunk = read(number, settings)
    const forget = (): void => void kept.delete(name)
    // an empty chunk is not final: events may follow its number
    chunk.then((result) => (E.isLeft(result) || result.right.events === 0) && forget(), forget)
    setBounded(kept, KEPT_CHUNKS, name, chunk)
    return chunk
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
    /** The events after a number, or none after half a second. `hasWaited`: whether the last call returned none. */
    next: async (number: number, settings: ChunkSettings, hasWaited: boolean): Promise<FeedChunk> => {
      if (number !== end || number < seen) {
        // a listener at the end of the log does not wait for those that are catching up
        if (!hasWaited) await untilTurn()
        const chunk = await chunkAfter(number, settings)
        if (E.isRight(chunk) && chunk.right.upTo > number) return chunk.right
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
