// Sends events again: those of a time, or those that were parked.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { Instant } from '../codecs/instant.js'
import { type Unavailable, unavailable } from '../errors.js'
import { eventNumber } from './domain-event.js'
import type { NumberRange } from './number-ranges.js'
import { RELAY_UNUSED, type RelayRecord, unusedAfter, withPending } from './relay-record.js'

/** Records per read of the scan: a few milliseconds of work, so that a running service is not held up. */
const PAGE = 500

/** A relay at work saves every 50 ms; each try takes a fraction of that. */
const MAX_TRIES = 100

type LogPorts = Pick<Ports, 'log' | 'relay'>

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
  let isInRange = false
  for (let after = 0; ; ) {
    const page = await log.read({ after, limit: PAGE })()
    if (E.isLeft(page)) return page
    const { events, damaged, upTo } = page.right
    for (const event of events) {
      const number = eventNumber(event)
      const isMeant = event.time >= from && (O.isNone(to) || event.time < to.value)
      const last = ranges.at(-1)
      // no other event is between the two
      if (isMeant && isInRange && last !== undefined) last[1] = number
      else if (isMeant) ranges.push([number, number])
      isInRange = isMeant
      if (isMeant) count += 1
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
  (times: ReplayTimes): TaskEither<Unavailable, number> =>
  async () => {
    const found = await findByTime(ports, times)
    if (E.isLeft(found)) return found
    const { ranges, count, upTo } = found.right
    const changed = await changeRelay(ports, unusedAfter(upTo), (record) => withPending(record, ranges))
    return E.isLeft(changed) ? changed : E.right(count)
  }

/**
 * Makes the relay try the parked events again. Returns how many.
 *
 * @example
 * await retryParked(makeMemoryStore())() // => E.right(0)
 */
export const retryParked =
  (ports: LogPorts): TaskEither<Unavailable, number> =>
  async () => {
    let count = 0
    const changed = await changeRelay(ports, RELAY_UNUSED, (record) => {
      count = record.parked.length
      return count === 0
        ? undefined
        : withPending(
            record,
            record.parked.map(({ number }) => [number, number]),
          )
    })
    return E.isLeft(changed) ? changed : E.right(count)
  }
