// What the relay has still to send and what it set aside, and how an operator makes it send events again.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { Instant } from '../codecs/instant.js'
import { type Unavailable, unavailable } from '../errors.js'
import { type DomainEvent, eventNumber } from './domain-event.js'
import { clip, countOf, type NumberRange } from './number-ranges.js'
import { nextVersion, type RelayRecord, unusedAfter, withPending } from './relay-record.js'

type LogPorts = Pick<Ports, 'log' | 'relay'>

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

/** The backlog of the relay; empty if no relay has ever run on the store. Scans nothing. */
export const readBacklog =
  ({ log, relay }: LogPorts): TE.TaskEither<Unavailable, Backlog> =>
  async () => {
    const record = await relay.load()
    if (E.isLeft(record)) return record
    const found = await log.head()
    if (E.isLeft(found)) return found
    const head = found.right.last
    const { pending, parked } = O.getOrElse(() => unusedAfter(head))(record.right)
    const waiting = clip(pending, head)
    const size = countOf(waiting)
    const position = (waiting[0]?.[0] ?? head + 1) - 1
    const page = size === 0 ? E.right({ events: [] }) : await log.read({ after: position, limit: 1 })()
    if (E.isLeft(page)) return page
    const oldest = O.map(({ time }: DomainEvent) => time)(RA.head(page.right.events))
    return E.right({ size, oldest, parked: parked.length, position, head })
  }

/** The first record of a relay that begins after this number, or where the log is final if that is before it. */
export const unusedAtEnd = ({ log }: Pick<Ports, 'log'>, number: number): TE.TaskEither<Unavailable, RelayRecord> =>
  pipe(
    log.read({ after: number, limit: 1 }),
    TE.map(({ upTo }) => unusedAfter(Math.min(number, upTo))),
  )

export interface ParkedEvent {
  readonly number: number
  /** None if its record is damaged. */
  readonly event: O.Option<DomainEvent>
  readonly reason: string
}

/** The events that their receiver refused, in order. */
export const listParked = ({ log, relay }: LogPorts): TE.TaskEither<Unavailable, readonly ParkedEvent[]> =>
  pipe(
    relay.load,
    TE.map((record) => (O.isSome(record) ? record.value.parked : [])),
    TE.flatMap(
      TE.traverseSeqArray(({ number, reason }) =>
        pipe(
          log.read({ after: number - 1, limit: 1 }),
          TE.map(({ events }) => RA.findFirst((event: DomainEvent) => eventNumber(event) === number)(events)),
          TE.map((event): ParkedEvent => ({ number, event, reason })),
        ),
      ),
    ),
  )

/** Records per read of the scan: a few milliseconds of work, so that a running service is not held up. */
const PAGE = 500

/** A relay at work saves every 50 ms; each try takes a fraction of that. */
const MAX_TRIES = 100

/**
 * Saves a change of the record, again and again if a relay at work saves in between. `change` returns undefined if there is nothing
 * to change. If no relay has ever run on the store, it gets the initial record; without one, nothing is changed.
 */
export const changeRelay = async (
  { relay }: Pick<Ports, 'relay'>,
  change: (record: RelayRecord) => RelayRecord | undefined,
  initial?: TE.TaskEither<Unavailable, RelayRecord>,
): Promise<E.Either<Unavailable, void>> => {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const known = O.isSome(loaded.right) ? E.right(loaded.right.value) : await initial?.()
    if (known !== undefined && E.isLeft(known)) return known
    const changed = known && change(known.right)
    if (changed === undefined) return E.right(undefined)
    const saved = await relay.save(nextVersion(changed))()
    if (E.isLeft(saved)) return saved
    if (saved.right) return E.right(undefined)
  }
  return E.left(unavailable(new Error('the relay saved its record before each change')))
}

/** A time from `from` until before `to`; without `to`, there is no end. */
export interface ReplayTimes {
  readonly from: Instant
  readonly to: O.Option<Instant>
}

/**
 * Makes the relay send the events of a time again, also those that are parked. Returns how many. They wait if no relay runs. Scans
 * the log, because the clock that gave the times may have been set back.
 */
export const replayEvents =
  (ports: LogPorts) =>
  ({ from, to }: ReplayTimes): TE.TaskEither<Unavailable, number> =>
  async () => {
    const ranges: [number, number][] = []
    let [after, count, isMore] = [0, 0, true]
    let open: [number, number] | undefined
    while (isMore) {
      const page = await ports.log.read({ after, limit: PAGE })()
      if (E.isLeft(page)) return page
      for (const event of page.right.events) {
        const number = eventNumber(event)
        if (event.time < from || (O.isSome(to) && event.time >= to.value)) {
          open = undefined
          continue
        }
        count += 1
        if (open === undefined) {
          open = [number, number]
          ranges.push(open)
          // numbers without an event are between the two
        } else open[1] = number
      }
      isMore = page.right.events.length + page.right.damaged.length === PAGE
      after = page.right.upTo
    }
    const changed = await changeRelay(ports, (record) => withPending(record, ranges), TE.right(unusedAfter(after)))
    return E.map(() => count)(changed)
  }

/** Makes the relay try the parked events again. Returns how many. */
export const retryParked =
  (ports: LogPorts): TE.TaskEither<Unavailable, number> =>
  async () => {
    let count = 0
    const changed = await changeRelay(ports, (record) => {
      const numbers = record.parked.map(({ number }): NumberRange => [number, number])
      count = numbers.length
      return count === 0 ? undefined : withPending(record, numbers)
    })
    return E.map(() => count)(changed)
  }
