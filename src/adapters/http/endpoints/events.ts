// GET /events: the log of events, as pages (CloudEvents JSON batch format) or as Server-Sent Events.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { cloudEventJson } from '../../../domain/events/cloud-event.js'
import { type Feed, type FeedPage, positionText } from '../../../domain/events/read-feed.js'
import type { Clock } from '../../../ports/clock.js'
import type { Crypto } from '../../../ports/crypto.js'
import { credentialsOf, type FindCaller } from '../access/caller.js'
import type { HttpFailure } from '../failures.js'
import { makeEventStream } from '../feed/event-stream.js'
import type { FeedTail } from '../feed/feed-tail.js'
import type { HttpRequest, Reply } from '../messages/message.js'
import { prefersType } from '../messages/preferences.js'
import type { Endpoint } from '../route.js'
import type { AppSettings } from '../settings.js'
import { conditional, tagged } from './conditional.js'
import { limitOf, parametersOf, positionOf } from './list-query.js'

export interface EventsUseCases {
  readonly feed: Feed
  readonly tail: FeedTail
  readonly authenticate: FindCaller
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly sha256: Crypto['sha256']
  readonly randomBytes: Crypto['randomBytes']
}

const EVENT_STREAM = 'text/event-stream'
/** As `after`: the end of the log. */
const LATEST = 'latest'

interface Sent {
  readonly name: 'after' | 'Last-Event-ID'
  readonly isLatest: boolean
  readonly position: O.Option<string>
}

const sentIn = (request: HttpRequest, parameters: URLSearchParams, isStream: boolean): E.Either<HttpFailure, Sent> => {
  const [line = '', ...more] = isStream ? request.header('last-event-id') : []
  if (more.length > 0) return E.left({ _tag: 'InvalidParameter', reason: 'Last-Event-ID may be given once' })
  // takes precedence over `after`, because EventSource reconnects with its original URL
  if (line !== '') return E.right({ name: 'Last-Event-ID', isLatest: false, position: O.some(line) })
  return E.map((after: O.Option<string>): Sent => {
    const isLatest = O.isSome(after) && after.value === LATEST
    return { name: 'after', isLatest, position: isLatest ? O.none : after }
  })(positionOf(parameters))
}

/** Links to the next page, with the limit as sent. */
const nextLink = (
  { baseUrl }: HttpRequest,
  parameters: URLSearchParams,
  position: string,
): readonly ['Link', string] => {
  const limit = parameters.get('limit')
  return ['Link', `<${baseUrl}/events?${limit === null ? '' : `limit=${limit}&`}after=${position}>; rel="next"`]
}

export const eventsEndpoint = (
  { feed, tail, authenticate, clock, sha256, randomBytes }: EventsUseCases,
  { eventsTypePrefix: typePrefix, maxStreams, stopping, observer }: AppSettings,
): Endpoint => {
  let streams = 0
  /** A key and its successors leave the other half to others. */
  const maxOfOneKey = Math.ceil(maxStreams / 2)
  const streamsOf = new Map<string, number>()
  const count = (lineage: string, open: number): void => {
    const ofKey = (streamsOf.get(lineage) ?? 0) + open
    if (ofKey > 0) streamsOf.set(lineage, ofKey)
    else streamsOf.delete(lineage)
    streams += open
    observer.stream?.({ open, events: 0 })
    // adding the same listener again has no effect
    if (streams > 0) stopping.addEventListener('abort', tail.release)
    else {
      stopping.removeEventListener('abort', tail.release)
      // cancels the next poll, because the store may be closed before it
      tail.release()
    }
  }

  const isKeyGood = async (request: HttpRequest): Promise<boolean> => {
    const credentials = credentialsOf(request)
    if (E.isLeft(credentials)) return false
    const caller = await authenticate(credentials.right)
    // an outage of the store does not end streams
    return E.isRight(caller) || caller.left._tag === 'Unavailable'
  }

  return async (request, { lineage }) => {
    const parameters = parametersOf(request)
    const limit = limitOf(parameters)
    if (E.isLeft(limit)) return limit
    // everything else gets a page, as any Accept gets JSON elsewhere; without streams also an EventSource, which then stops
    const isStream = maxStreams > 0 && prefersType(EVENT_STREAM, request)
    const sent = sentIn(request, parameters, isStream)
    if (E.isLeft(sent)) return sent
    const { name, isLatest, position } = sent.right
    const started = await feed.startAt(position, isStream || isLatest)()
    if (E.isLeft(started)) {
      const { left } = started
      if (left._tag === 'Unavailable') return E.left(left)
      return E.left({ _tag: 'InvalidParameter', reason: `${name} ${left.reason}` })
    }
    const start = started.right
    const settings = { source: request.baseUrl, typePrefix }

    if (!isStream) {
      const atEnd: FeedPage = { events: [], upTo: start.number, isFull: false }
      const page = isLatest ? E.right(atEnd) : await feed.readAfter(start.number, limit.right)()
      if (E.isLeft(page)) return page
      const { events, upTo } = page.right
      const reply = {
        status: 200,
        headers: [
          ['Content-Type', 'application/cloudevents-batch+json'],
          ['Vary', 'Accept'],
          nextLink(request, parameters, positionText(start.logId, upTo)),
        ],
        body: `[${events.map((event) => cloudEventJson(event, settings)).join()}]`,
      } as const
      return conditional(request, tagged(reply, sha256))
    }

    const head: Reply = {
      status: 200,
      headers: [
        // some clients read text without a charset as Latin-1
        ['Content-Type', `${EVENT_STREAM}; charset=utf-8`],
        ['Vary', 'Accept'],
        // a middleware that compresses would hold events back
        ['Cache-Control', 'no-store, no-transform'],
        // tells nginx and others not to buffer events
        ['X-Accel-Buffering', 'no'],
      ],
    }
    if (streams >= maxStreams || (streamsOf.get(lineage) ?? 0) >= maxOfOneKey) return E.left({ _tag: 'TooManyStreams' })
    if (request.method === 'HEAD') return E.right(head)
    count(lineage, 1)
    const stream = makeEventStream(tail, {
      ...settings,
      clock,
      randomBytes,
      start,
      isNew: O.isNone(position),
      isKeyGood: () => isKeyGood(request),
      stopping,
      onClose: () => count(lineage, -1),
      onEvents: (events) => observer.stream?.({ open: 0, events }),
    })
    return E.right({ ...head, ...stream })
  }
}
