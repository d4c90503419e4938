// What the relay sends next, and its record afterwards.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LogPage } from '../../ports/event-log.js'
import type { Delivery, FailedDelivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { eventNumber } from './domain-event.js'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord } from './relay-record.js'

/** Events of the log after the position or, with `retry`, one that was parked; `upTo` is the position once all of them are settled. */
export interface RelayBatch extends LogPage {
  readonly retry?: number
}

/** How many more events can be parked. */
const roomIn = ({ parked, retry }: RelayRecord): number => MAX_PARKED - parked.length - retry.length

/**
 * Reads the next batch. A refused event is tried alone, and the others wait until it is sent or parked; without room for one more, each is,
 * because what is sent behind one that cannot be parked is sent again.
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

/** Whether there is something to send or to park. */
export const isFilled = ({ events, damaged, retry }: RelayBatch): boolean =>
  events.length + damaged.length > 0 || retry !== undefined

export interface RelayPass {
  /** The record with what is left to be sent, not yet saved. */
  readonly record: RelayRecord
  readonly sent: number
  readonly parked: RelayRecord['parked']
  /** How often the receiver has now refused the event that is next; 0 if it has refused none. */
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
 * Applies the deliveries of a batch, one per event and in their order, to the record: up to the first event that was neither sent nor
 * parked. The events without a delivery were not tried.
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
  // one that is to be sent again has its place
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
  // an outage neither counts nor forgives
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
