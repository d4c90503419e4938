// One pass of the relay: the next pending events, and what is still to be sent once they were published.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LogPage } from '../../ports/event-log.js'
import type { Delivery, FailedDelivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { DurationMs } from '../codecs/instant.js'
import type { Unavailable } from '../errors.js'
import { isIn, type NumberRange, subtract, unite } from './number-ranges.js'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord } from './relay-record.js'

export interface BackOff {
  /** Delay after the first failure; it doubles with each further failure. */
  readonly initialMs: DurationMs
  readonly maxMs: DurationMs
}

export interface RelaySettings {
  /** Maximum number of events per pass. */
  readonly batchSize: number
  /** How long the relay may be silent before another one takes over. */
  readonly leaseMs: DurationMs
  /** Attempts before an event that its receiver refuses is parked, or one on which it alone fails. */
  readonly attemptsBeforeParking: number
  readonly backOff: BackOff
}

/** What the log holds after this number. */
export interface RelayBatch extends LogPage {
  readonly after: number
}

export interface Outage extends FailedDelivery {
  /** The first event that was not delivered; absent if none could be. */
  readonly number?: number
}

export interface RelayPass {
  /** The record with what is left to be sent, not yet saved. */
  readonly record: RelayRecord
  readonly sent: number
  readonly parked: RelayRecord['parked']
  /** How often the receiver has now refused the event that is next; 0 if it has refused none. */
  readonly failures: number
  /** Why the receiver is unavailable. It does not count as an attempt: an outage is not the event's fault. */
  readonly outage: O.Option<Outage>
  /** Whether every event of the batch was sent or parked. */
  readonly isWhole: boolean
}

/** Reads the next events to be sent; none if the record has none pending. */
export const readBatch =
  ({ log }: Pick<Ports, 'log'>) =>
  ({ pending, attempts }: RelayRecord, batchSize: number): TE.TaskEither<Unavailable, O.Option<RelayBatch>> => {
    // a refused event is tried alone, and the others wait until it is sent or parked
    const isRefused = attempts !== undefined && isIn(pending, attempts.number)
    const range = isRefused ? ([attempts.number, attempts.number] as const) : pending[0]
    if (range === undefined) return TE.right(O.none)
    const after = range[0] - 1
    const limit = Math.min(batchSize, range[1] - after)
    return TE.map((page: LogPage) => O.some({ ...page, after }))(log.read({ after, limit }))
  }

/** The record as it will be if every event of the batch is sent. */
export const withoutBatch = (record: RelayRecord, { after, upTo }: Pick<RelayBatch, 'after' | 'upTo'>): RelayRecord =>
  upTo > after ? { ...record, pending: subtract(record.pending, [[after + 1, upTo]]) } : record

const DAMAGED = 'its record is damaged'

const withReason = (number: number, reason: string) => ({ number, reason: reason.slice(0, MAX_REASON_LENGTH) })

/** Applies the deliveries of a batch to the record. The events without one were not tried. */
export const settle = (
  record: RelayRecord,
  batch: RelayBatch,
  deliveries: ReadonlyMap<number, Delivery | undefined>,
  attemptsBeforeParking: number,
): RelayPass => {
  const left: NumberRange[] = []
  const parked = batch.damaged
    .filter((number) => isIn(record.pending, number))
    .map((number) => withReason(number, DAMAGED))
  let attempts: RelayRecord['attempts']
  let outage: O.Option<Outage> = O.none
  let sent = 0
  for (const [number, delivery] of deliveries) {
    if (delivery?._tag === 'Delivered') {
      sent += 1
      continue
    }
    if (delivery?._tag === 'Failed') {
      outage = O.alt((): O.Option<Outage> => O.some({ ...delivery, number }))(outage)
    } else if (delivery !== undefined && attempts === undefined) {
      const count = (record.attempts?.number === number ? record.attempts.count : 0) + 1
      if (count >= attemptsBeforeParking) {
        parked.push(withReason(number, delivery.reason))
        continue
      }
      attempts = { number, count }
    }
    left.push([number, number])
  }
  const { attempts: _, ...kept } = record
  if (record.parked.length + parked.length > MAX_PARKED && parked.length > 0) {
    // sent again later, because nothing is dropped
    const reason = `${MAX_PARKED} events are parked: retry or replay them, then others can be parked`
    return { record, sent, parked: [], failures: 0, outage: O.some({ _tag: 'Failed', reason }), isWhole: false }
  }
  const pending = unite([...withoutBatch(record, batch).pending, ...left])
  // an outage neither counts nor forgives
  const counted = attempts ?? record.attempts
  return {
    record: {
      ...kept,
      ...(counted !== undefined && isIn(pending, counted.number) && { attempts: counted }),
      pending,
      parked: [...record.parked, ...parked].toSorted((one, other) => one.number - other.number),
      hasSent: record.hasSent || sent > 0,
    },
    sent,
    parked,
    failures: attempts?.count ?? 0,
    outage,
    isWhole: left.length === 0,
  }
}
