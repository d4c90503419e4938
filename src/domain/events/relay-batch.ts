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

/** Reads the next batch. A refused event is tried alone, and the others wait until it is sent or parked. */
export const readBatch =
  ({ log }: Pick<Ports, 'log'>) =>
  ({ position, retry: [retry], attempts }: RelayRecord, batchSize: number): TE.TaskEither<Unavailable, RelayBatch> => {
    if (retry === undefined) return log.read({ after: position, limit: attempts === undefined ? batchSize : 1 })
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

type Settled = Omit<RelayPass, 'record'> & {
  /** The last number before which everything was sent or parked; undefined if that is all of the batch. */
  readonly stoppedAt?: number
  /** The attempts of the event that was refused, if that is why it stopped. */
  readonly counted?: RelayRecord['attempts']
}

/** Goes through the batch in order, and stops at the first event that was neither sent nor parked. */
const settleInOrder = (
  { attempts }: RelayRecord,
  { events, damaged }: RelayBatch,
  deliveries: readonly (Delivery | undefined)[],
  attemptsBeforeParking: number,
): Settled => {
  const steps = [
    ...events.map((event, at) => ({ number: eventNumber(event), delivery: deliveries[at], isDamaged: false })),
    ...damaged.map((number) => ({ number, delivery: DAMAGED, isDamaged: true })),
  ].sort((one, other) => one.number - other.number)
  const parked: RelayRecord['parked'][number][] = []
  let sent = 0
  for (const { number, delivery, isDamaged } of steps) {
    const stop = { sent, parked, refusals: 0, outage: O.none, stoppedAt: number }
    // a publisher may stop after any event
    if (delivery === undefined) return stop
    if (delivery._tag === 'Failed') return { ...stop, outage: O.some(delivery) }
    if (delivery._tag === 'Delivered') {
      sent += 1
      continue
    }
    const refusals = (attempts?.number === number ? attempts.count : 0) + 1
    if (!isDamaged && refusals < attemptsBeforeParking)
      return { ...stop, refusals, counted: { number, count: refusals } }
    parked.push({ number, reason: delivery.reason.slice(0, MAX_REASON_LENGTH) })
  }
  return { sent, parked, refusals: 0, outage: O.none }
}

const isFull = ({ parked, retry }: RelayRecord, added: number): boolean =>
  added > 0 && parked.length + retry.length + added > MAX_PARKED

const noRoom = (record: RelayRecord, sent: number): RelayPass => {
  const reason = `${MAX_PARKED} events are parked: retry or replay them, then others can be parked`
  return { record, sent, parked: [], refusals: 0, outage: O.some({ _tag: 'Failed', reason }) }
}

/** Applies the deliveries of a batch, one per event and in their order, to the record. The events without one were not tried. */
export const settle = (
  record: RelayRecord,
  batch: RelayBatch,
  deliveries: readonly (Delivery | undefined)[],
  attemptsBeforeParking: number,
): RelayPass => {
  const { attempts: before, ...kept } = record
  // an outage neither counts nor forgives
  const {
    stoppedAt,
    counted: attempts = before,
    ...settled
  } = settleInOrder(record, batch, deliveries, attemptsBeforeParking)
  const isRetried = batch.retry !== undefined && stoppedAt === undefined
  const retry = isRetried ? record.retry.slice(1) : record.retry
  if (isFull({ ...record, retry }, settled.parked.length)) return noRoom(record, settled.sent)
  const upTo = batch.retry === undefined ? (stoppedAt ?? batch.upTo + 1) - 1 : record.position
  return {
    ...settled,
    record: {
      ...kept,
      ...(attempts !== undefined && attempts.number === stoppedAt && { attempts }),
      position: Math.max(record.position, upTo),
      retry,
      parked: [...record.parked, ...settled.parked].sort((one, other) => one.number - other.number),
      hasSent: record.hasSent || settled.sent > 0,
    },
  }
}
