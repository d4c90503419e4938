// Decides what the relay sends next, and its record afterwards.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LogPage } from '../../ports/event-log.js'
import type { Delivery, FailedDelivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { eventNumber } from './domain-event.js'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord } from './relay-record.js'

/** Events after the position or, with `retry`, one parked event. `upTo`: the position once all are settled. */
export interface RelayBatch extends LogPage {
  readonly retry?: number
}

/** Number of further events that can be parked. */
const roomIn = ({ parked, retry }: RelayRecord): number => MAX_PARKED - parked.length - retry.length

/**
 * Reads the next batch. A refused event is tried alone until it is sent or parked. If no more can be parked, every
 * event is sent alone, because events sent after one that cannot be parked would be sent again.
 */
export const readBatch =
  ({ log }: Pick<Ports, 'log'>) =>
  (record: RelayRecord, batchSize: number): TE.TaskEither<Unavailable, RelayBatch> => {
    const {
      position,
      retry: [retry],
      attempts,
    } = record
    const isAlone = attempts !== undefined || roomIn(record) <= 0
    if (retry === undefined) return log.read({ after: position, limit: isAlone ? 1 : batchSize })
    const only = ({ events, damaged }: LogPage): RelayBatch => ({
      events: events.filter((event) => eventNumber(event) === retry),
      damaged: damaged.filter((number) => number === retry),
      upTo: position,
      retry,
    })
    return TE.map(only)(log.read({ after: retry - 1, limit: 1 }))
  }

/** Whether there is anything to send or park. */
export const isFilled = ({ events, damaged, retry }: RelayBatch): boolean =>
  events.length + damaged.length > 0 || retry !== undefined

export interface RelayPass {
  /** The new record, not yet saved. */
  readonly record: RelayRecord
  readonly sent: number
  readonly parked: RelayRecord['parked']
  /** Number of times that the receiver has refused the next event. */
  readonly refusals: number
  /** Why the receiver is unavailable. It does not count as an attempt: an outage is not the event's fault. */
  readonly outage: O.Option<FailedDelivery>
}

const DAMAGED: Delivery = { _tag: 'Poisoned', reason: 'its record is damaged' }
const FULL: FailedDelivery = {
  _tag: 'Failed',
  reason: `${MAX_PARKED} events are parked: retry or replay them, then others can be parked`,
}

/**
 * Applies deliveries, in the order of the events, to the record, up to the first event that is neither sent nor parked.
 * Events without a delivery were not tried.
 */
export const settle = (
  record: RelayRecord,
  { events, damaged, upTo, retry: retried }: RelayBatch,
  deliveries: readonly (Delivery | undefined)[],
  attemptsBeforeParking: number,
): RelayPass => {
  const { attempts: before, ...kept } = record
  const steps = [
    ...events.map((event, at) => ({ number: eventNumber(event), delivery: deliveries[at] })),
    ...damaged.map((number) => ({ number, delivery: DAMAGED })),
  ].sort((one, other) => one.number - other.number)
  const parked: RelayRecord['parked'][number][] = []
  let [sent, refusals] = [0, 0]
  let outage: RelayPass['outage'] = O.none
  let stoppedAt: number | undefined
  // a retried event still has its place among the parked ones
  const room = roomIn(record) + (retried === undefined ? 0 : 1)
  for (const { number, delivery } of steps) {
    if (delivery?._tag === 'Delivered') {
      sent += 1
      continue
    }
    if (delivery?._tag === 'Poisoned') {
      const count = (before?.number === number ? before.count : 0) + 1
      const isParked = delivery === DAMAGED || count >= attemptsBeforeParking
      if (isParked && parked.length < room) {
        parked.push({ number, reason: delivery.reason.slice(0, MAX_REASON_LENGTH) })
        continue
      }
      if (isParked) outage = O.some(FULL)
      else refusals = count
    }
    if (delivery?._tag === 'Failed') outage = O.some(delivery)
    stoppedAt = number
    break
  }
  const retry = retried !== undefined && stoppedAt === undefined ? record.retry.slice(1) : record.retry
  // an outage neither counts as an attempt nor resets the count
  const attempts = refusals > 0 && stoppedAt !== undefined ? { number: stoppedAt, count: refusals } : before
  const position = retried === undefined ? (stoppedAt ?? upTo + 1) - 1 : record.position
  return {
    sent,
    parked,
    refusals,
    outage,
    record: {
      ...kept,
      ...(attempts !== undefined && attempts.number === stoppedAt && { attempts }),
      position: Math.max(record.position, position),
      retry,
      parked: [...record.parked, ...parked].sort((one, other) => one.number - other.number),
      hasSent: record.hasSent || sent > 0,
    },
  }
}
