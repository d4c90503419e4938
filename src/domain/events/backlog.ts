// How much is still to be sent, and what was set aside.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LogHead } from '../../ports/event-log.js'
import type { Ports } from '../../ports/index.js'
import type { Instant } from '../codecs/instant.js'
import type { Unavailable } from '../errors.js'
import { type DomainEvent, eventNumber } from './domain-event.js'
import { clip, countOf } from './number-ranges.js'
import type { RelayRecord } from './relay-record.js'

export interface Backlog {
  /** Events that are neither sent nor parked. Ids that no pet received count too, until the relay has passed them. */
  readonly size: number
  /** The time of the first one. */
  readonly oldest: O.Option<Instant>
  readonly parked: number
  /** The number up to which everything was sent or parked. */
  readonly position: number
  /** No event has a greater number. */
  readonly head: number
}

export interface ParkedEvent {
  readonly number: number
  /** None if its record is damaged. */
  readonly event: O.Option<DomainEvent>
  readonly reason: string
}

type LogPorts = Pick<Ports, 'log' | 'relay'>

const timeAfter = ({ log }: LogPorts, number: number): TE.TaskEither<Unavailable, O.Option<Instant>> =>
  pipe(
    log.read({ after: number, limit: 1 }),
    TE.map(({ events: [first] }) => O.map(({ time }: DomainEvent) => time)(O.fromNullable(first))),
  )

const backlogOf = (ports: LogPorts, { pending, parked }: RelayRecord, head: LogHead) => {
  const waiting = clip(pending, head.last)
  const size = countOf(waiting)
  const position = (waiting[0]?.[0] ?? head.last + 1) - 1
  const oldest = size === 0 ? TE.right(O.none) : timeAfter(ports, position)
  return pipe(
    oldest,
    TE.map((time): Backlog => ({ size, oldest: time, parked: parked.length, position, head: head.last })),
  )
}

/**
 * The backlog of the relay; none if no relay has ever run on the store. Scans nothing.
 *
 * @example
 * await readBacklog(makeMemoryStore())() // => E.right(O.none)
 */
export const readBacklog = (ports: LogPorts): TE.TaskEither<Unavailable, O.Option<Backlog>> =>
  pipe(
    ports.relay.load,
    TE.flatMap(
      O.match(
        () => TE.right(O.none),
        (record) =>
          pipe(
            ports.log.head,
            TE.flatMap((head) => backlogOf(ports, record, head)),
            TE.map(O.some),
          ),
      ),
    ),
  )

const parkedEvent = ({ log }: LogPorts, { number, reason }: RelayRecord['parked'][number]) =>
  pipe(
    log.read({ after: number - 1, limit: 1 }),
    TE.map(({ events }): ParkedEvent => {
      const event = O.fromNullable(events.find((one) => eventNumber(one) === number))
      return { number, event, reason }
    }),
  )

/**
 * The events that their receiver refused, in order.
 *
 * @example
 * await listParked(makeMemoryStore())() // => E.right([])
 */
export const listParked = (ports: LogPorts): TE.TaskEither<Unavailable, readonly ParkedEvent[]> =>
  pipe(
    ports.relay.load,
    TE.map(
      O.match(
        () => [],
        ({ parked }) => [...parked],
      ),
    ),
    TE.flatMap(TE.traverseSeqArray((one) => parkedEvent(ports, one))),
  )
