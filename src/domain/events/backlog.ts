// Events that the relay has yet to send or has parked, and how an operator makes it send them again.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { Instant } from '../codecs/scalar.js'
import { type Unavailable, unavailable } from '../errors.js'
import { type DomainEvent, eventNumber } from './domain-event.js'
import { nextVersion, type RelayRecord, rewoundTo, unusedAfter, withParkedRetried } from './relay-record.js'

type LogPorts = Pick<Ports, 'log' | 'relay'>

export interface Backlog {
  /** Events neither sent nor parked. Includes ids that no pet got, until the relay has passed them. */
  readonly size: number
  /** The time of the first one. */
  readonly oldest: O.Option<Instant>
  readonly parked: number
  /** The number up to which everything was sent or parked. */
  readonly position: number
  /** No event has a greater number. */
  readonly head: number
}

/** The backlog of the relay; empty if no relay has ever run on the store. Does not scan the log. */
export const readBacklog =
  ({ log, relay }: LogPorts): TE.TaskEither<Unavailable, Backlog> =>
  async () => {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const found = await log.head()
    if (E.isLeft(found)) return found
    const head = found.right.last
    const { position, retry, parked } = O.getOrElse(() => unusedAfter(head))(loaded.right)
    const size = Math.max(0, head - position) + retry.length
    const first = (retry[0] ?? position + 1) - 1
    const page = size === 0 ? E.right({ events: [] }) : await log.read({ after: first, limit: 1 })()
    if (E.isLeft(page)) return page
    const oldest = O.map(({ time }: DomainEvent) => time)(RA.head(page.right.events))
    return E.right({ size, oldest, parked: parked.length, position, head })
  }

export interface ParkedEvent {
  readonly number: number
  /** None if its record is damaged. */
  readonly event: O.Option<DomainEvent>
  readonly reason: string
}

/** The events that the receiver refused, in order. */
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

/** Enough, because a busy relay saves every 50 ms and a try takes a fraction of that. */
const MAX_TRIES = 100

/** Changes the record, or `initial` if there is none; retries if a relay saves in between. Undefined: no change. */
export const changeRelay = async (
  { relay }: Pick<Ports, 'relay'>,
  change: (record: RelayRecord) => RelayRecord | undefined,
  initial?: RelayRecord,
): Promise<E.Either<Unavailable, void>> => {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const known = O.toUndefined(loaded.right) ?? initial
    const changed = known && change(known)
    if (changed === undefined) return E.right(undefined)
    const saved = await relay.save(nextVersion(changed))()
    if (E.isLeft(saved)) return saved
    if (saved.right) return E.right(undefined)
  }
  return E.left(unavailable(new Error('the relay saved its record before each change')))
}

/** Records per read of the scan: a few milliseconds of work, so that a running service is not blocked. */
const PAGE = 500

/**
 * Makes the relay send everything again, starting with the first event at or after this time. Returns the number of
 * events. Scans the log, because times need not ascend: a clock may have been set back. If there is no such event, the
 * first relay of a store begins at the end.
 */
export const replayEvents =
  (ports: LogPorts) =>
  (from: Instant): TE.TaskEither<Unavailable, number> =>
  async () => {
    let [first, count, last] = [0, 0, 0]
    for (let isMore = true; isMore; ) {
      const page = await ports.log.read({ after: last, limit: PAGE })()
      if (E.isLeft(page)) return page
      const { events, upTo } = page.right
      const at = count > 0 ? 0 : events.findIndex(({ time }) => time >= from)
      const matching = at === -1 ? [] : events.slice(at)
      if (count === 0 && matching[0] !== undefined) first = eventNumber(matching[0])
      count += matching.length
      isMore = upTo > last
      last = upTo
    }
    const position = count === 0 ? last : first - 1
    const changed = await changeRelay(ports, (record) => rewoundTo(record, position), unusedAfter(last))
    return E.map(() => count)(changed)
  }

/** Makes the relay send only events added from now on, even if it is the first one of the store. Parked events stay. */
export const skipEvents =
  ({ log, relay }: LogPorts): TE.TaskEither<Unavailable, void> =>
  async () => {
    const head = await log.head()
    if (E.isLeft(head)) return head
    const { last } = head.right
    const end = await log.read({ after: last, limit: 1 })()
    if (E.isLeft(end)) return end
    // a pet may still get an id that is not final
    const position = Math.min(last, end.right.upTo)
    return changeRelay(
      { relay },
      ({ attempts, ...record }) => ({ ...record, position, retry: [] }),
      unusedAfter(position),
    )
  }

/** Makes the relay try the parked events again. Returns their number. */
export const retryParked =
  (ports: LogPorts): TE.TaskEither<Unavailable, number> =>
  async () => {
    let count = 0
    const changed = await changeRelay(ports, (record) => {
      count = record.parked.length
      return count === 0 ? undefined : withParkedRetried(record)
    })
    return E.map(() => count)(changed)
  }
