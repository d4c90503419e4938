// Reads the log for clients, which keep their position as opaque text.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LogHead } from '../../ports/event-log.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import type { Limit } from '../pets/pet-query.js'
import type { DomainEvent } from './domain-event.js'

/** The text is not a position in this log. */
export interface InvalidPosition {
  readonly _tag: 'InvalidPosition'
  readonly reason: string
}

export interface FeedPage {
  /** Oldest first. */
  readonly events: readonly DomainEvent[]
  /** The number after which the next page begins. */
  readonly upTo: number
  /** Whether more events may already exist. */
  readonly isFull: boolean
}

export interface FeedStart {
  readonly logId: string
  readonly number: number
}

export interface Feed {
  /** Where a client starts: at its position; without one, before the oldest event or (`fromNowOn`) after the last. */
  readonly startAt: (
    position: O.Option<string>,
    fromNowOn: boolean,
  ) => TaskEither<InvalidPosition | Unavailable, FeedStart>
  readonly readAfter: (number: number, limit: Limit) => TaskEither<Unavailable, FeedPage>
}

export const POSITION_RULE = 'must be a position that this feed gave out'
const POSITION = /^([\w-]{8,64})\.(0|[1-9]\d{0,15})$/

/** A position as text. Includes the log id, because a number is meaningless in another log. */
export const positionText = (logId: string, number: number): string => `${logId}.${number}`

const invalid = (reason: string): E.Either<InvalidPosition, never> => E.left({ _tag: 'InvalidPosition', reason })

const parse = (text: string): E.Either<InvalidPosition, FeedStart> => {
  const [, logId, digits] = POSITION.exec(text) ?? []
  const number = Number(digits)
  return logId === undefined || !Number.isSafeInteger(number) ? invalid(POSITION_RULE) : E.right({ logId, number })
}

/** Maximum reads per page; more than one only if records are damaged. */
const MAX_READS = 10

export const makeFeed = ({ log }: Pick<Ports, 'log'>): Feed => {
  // cached, because reading the head costs MongoDB a write; it never moves back
  let known: LogHead = { logId: '', last: 0 }

  const head = async (): Promise<E.Either<Unavailable, LogHead>> => {
    const found = await log.head()
    if (E.isRight(found)) known = found.right
    return found
  }

  const startIn = async (start: FeedStart): Promise<E.Either<InvalidPosition | Unavailable, FeedStart>> => {
    if (start.logId === known.logId && start.number <= known.last) return E.right(start)
    const found = await head()
    if (E.isLeft(found)) return found
    const { logId, last } = found.right
    if (start.logId !== logId) return invalid('is a position of another log: begin again without it')
    return start.number > last ? invalid('is beyond the end of the log: begin again without it') : E.right(start)
  }

  return {
    startAt: (position, fromNowOn) => async () => {
      if (O.isSome(position)) {
        const start = parse(position.value)
        return E.isLeft(start) ? start : startIn(start.right)
      }
      const found = fromNowOn || known.logId === '' ? await head() : E.right(known)
      if (E.isLeft(found)) return found
      const { logId, last } = found.right
      if (!fromNowOn) return E.right({ logId, number: 0 })
      // starts where the log is final: while the last event becomes final, others may follow
      const page = await log.read({ after: last, limit: 1 })()
      return E.isLeft(page) ? page : E.right({ logId, number: Math.min(last, page.right.upTo) })
    },

    readAfter: (number, limit) => async () => {
      const events: DomainEvent[] = []
      let upTo = number
      for (let reads = 1; ; reads += 1) {
        const wanted = limit - events.length
        const page = await log.read({ after: upTo, limit: wanted })()
        if (E.isLeft(page)) return page
        const { events: found, damaged } = page.right
        events.push(...found)
        upTo = Math.max(upTo, page.right.upTo)
        known = { ...known, last: Math.max(known.last, page.right.upTo) }
        const isEnd = found.length + damaged.length < wanted
        if (isEnd || events.length === limit || reads === MAX_READS) return E.right({ events, upTo, isFull: !isEnd })
      }
    },
  }
}

/** Throws if the ports belong to different storages, because events missing from the log would be lost. */
export const refuseMixed = (ports: Partial<Pick<Ports, 'pets' | 'ids' | 'log' | 'relay'>>): void => {
  const { pets, ids, log, relay } = ports
  if (new Set([pets, ids, log, relay].flatMap((port) => port?.storage ?? [])).size > 1) {
    throw new Error('the ports pets, ids, log and relay of the store belong to different storages')
  }
}
