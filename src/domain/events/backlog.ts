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
import { RELAY_UNUSED, type RelayRecord, unusedAfter, withPending } from './relay-record.js'

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

/**
 * The backlog of the relay; none if no relay has ever run on the store. Scans nothing.
 *
 * @example
 * await readBacklog(makeMemoryStore())() // => E.right(O.none)
 */
export const readBacklog =
  ({ log, relay }: LogPorts): TE.TaskEither<Unavailable, O.Option<Backlog>> =>
  async () => {
    const record = await relay.load()
    if (E.isLeft(record)) return record
    if (O.isNone(record.right)) return E.right(O.none)
    const found = await log.head()
    if (E.isLeft(found)) return found
    const { pending, parked } = record.right.value
    const head = found.right.last
    const waiting = clip(pending, head)
    const size = countOf(waiting)
    const position = (waiting[0]?.[0] ?? head + 1) - 1
    const page = size === 0 ? E.right({ events: [] }) : await log.read({ after: position, limit: 1 })()
    if (E.isLeft(page)) return page
    const oldest = O.map(({ time }: DomainEvent) => time)(RA.head(page.right.events))
    return E.right(O.some({ size, oldest, parked: parked.length, position, head }))
  }

export interface ParkedEvent {
  readonly number: number
  /** None if its record is damaged. */
  readonly event: O.Option<DomainEvent>
  readonly reason: string
}

/**
 * The events that their receiver refused, in order.
 *
 * @example
 * await listParked(makeMemoryStore())() // => E.right([])
 */
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
 * Saves a change of the record, again and again if a relay at work saves in between. `change` gets `initial` if no relay has ever run on
 * the store, and returns undefined if there is nothing to change.
 */
export const changeRelay = async (
  { relay }: Pick<Ports, 'relay'>,
  initial: RelayRecord,
  change: (record: RelayRecord) => RelayRecord | undefined,
): Promise<E.Either<Unavailable, void>> => {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const record = O.getOrElse(() => initial)(loaded.right)
    const changed = change(record)
    if (changed === undefined) return E.right(undefined)
    const saved = await relay.save({ ...changed, version: record.version + 1 })()
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

interface Found {
  readonly ranges: readonly NumberRange[]
  readonly count: number
  /** Where the log ended. */
  readonly upTo: number
}

/** Scans the log, because the clock that gave the times may have been set back. */
const findByTime = async ({ log }: LogPorts, { from, to }: ReplayTimes): Promise<E.Either<Unavailable, Found>> => {
  const ranges: [number, number][] = []
  let count = 0
  let open: [number, number] | undefined
  for (let after = 0; ; ) {
    const page = await log.read({ after, limit: PAGE })()
    if (E.isLeft(page)) return page
    const { events, damaged, upTo } = page.right
    for (const event of events) {
      const number = eventNumber(event)
      const isMeant = event.time >= from && (O.isNone(to) || event.time < to.value)
      if (!isMeant) {
        open = undefined
        continue
      }
      count += 1
      // numbers without an event are between the two
      if (open !== undefined) open[1] = number
      else {
        open = [number, number]
        ranges.push(open)
      }
    }
    if (events.length + damaged.length < PAGE) return E.right({ ranges, count, upTo })
    after = upTo
  }
}

/**
 * Makes the relay send the events of a time again, also those that are parked. Returns how many. They wait if no relay runs.
 *
 * @example
 * await replayEvents(makeMemoryStore())({ from: 0, to: O.none })() // => E.right(0)
 */
export const replayEvents =
  (ports: LogPorts) =>
  (times: ReplayTimes): TE.TaskEither<Unavailable, number> =>
  async () => {
    const found = await findByTime(ports, times)
    if (E.isLeft(found)) return found
    const { ranges, count, upTo } = found.right
    const changed = await changeRelay(ports, unusedAfter(upTo), (record) => withPending(record, ranges))
    return E.map(() => count)(changed)
  }

/**
 * Makes the relay try the parked events again. Returns how many.
 *
 * @example
 * await retryParked(makeMemoryStore())() // => E.right(0)
 */
export const retryParked =
  (ports: LogPorts): TE.TaskEither<Unavailable, number> =>
  async () => {
    let count = 0
    const changed = await changeRelay(ports, RELAY_UNUSED, (record) => {
      const numbers = record.parked.map(({ number }): NumberRange => [number, number])
      count = numbers.length
      return count === 0 ? undefined : withPending(record, numbers)
    })
    return E.map(() => count)(changed)
  }
