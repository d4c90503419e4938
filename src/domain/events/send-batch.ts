// Publishes a batch, and finds out whether a receiver that responds with failures fails on one event alone.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Crypto } from '../../ports/crypto.js'
import type { Delivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { DurationMs } from '../codecs/instant.js'
import { type DomainEvent, eventNumber } from './domain-event.js'
import { isIn, subtract } from './number-ranges.js'
import {
  type BackOff,
  type RelayBatch,
  type RelayPass,
  type RelaySettings,
  readBatch,
  settle,
  withoutBatch,
} from './relay-events.js'
import type { RelayRecord } from './relay-record.js'

/**
 * Exponential back-off: milliseconds to wait after this many consecutive failures (at least one): a random time between half of the delay and
 * all of it, so that instances that failed together do not retry together.
 */
export const makeBackOff =
  (crypto: Pick<Crypto, 'randomBytes'>, { initialMs, maxMs }: BackOff) =>
  (failures: number): DurationMs => {
    const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
    const random = crypto.randomBytes(4).reduce((value, byte) => (value + byte) / 256, 0)
    return Math.round((delayMs * (1 + random)) / 2)
  }

type SendPorts = Pick<Ports, 'publisher' | 'log'>

/** An event on which the receiver fails by its own responses. */
export interface Doubt {
  readonly number: number
  readonly reason: string
  /** How many such responses there were. */
  readonly responses: number
}

type SentBatch = RelayPass & { readonly doubt: O.Option<Doubt> }

const failed = (reason: string): Delivery => ({ _tag: 'Failed', reason })

/** At least one delivery; a defect of the publisher counts as an outage. */
const publish = async ({ publisher }: SendPorts, events: readonly DomainEvent[]): Promise<readonly Delivery[]> => {
  try {
    const deliveries = await publisher.publish(events)()
    return deliveries.length > 0 ? deliveries : [failed('the publisher reported no delivery')]
  } catch (defect) {
    return [failed(String(defect))]
  }
}

const doubtAfter = (before: O.Option<Doubt>, { outage }: RelayPass): O.Option<Doubt> => {
  if (O.isNone(outage)) return O.none
  const { hasResponded, number, reason } = outage.value
  // without a response, nothing is known of the event
  if (hasResponded !== true || number === undefined) return before
  const known = O.isSome(before) && before.value.number === number ? before.value.responses : 0
  return O.some({ number, reason, responses: known + 1 })
}

/** The first pending event after this number, as a batch of its own. */
const nextAfter = async (
  { log }: SendPorts,
  record: RelayRecord,
  number: number,
  batchSize: number,
): Promise<RelayBatch | undefined> => {
  for (let rest = { ...record, pending: subtract(record.pending, [[0, number]]) }; ; ) {
    const read = await readBatch({ log })(rest, batchSize)()
    if (E.isLeft(read) || O.isNone(read.right)) return undefined
    const batch = read.right.value
    const next = batch.events.find((event) => isIn(rest.pending, eventNumber(event)))
    if (next !== undefined) {
      const upTo = eventNumber(next)
      return { after: upTo - 1, events: [next], damaged: [], upTo }
    }
    if (batch.upTo <= batch.after) return undefined
    // numbers without an event
    rest = withoutBatch(rest, batch)
  }
}

/**
 * Tries the event after a doubted one, once and at once, so that a receiver is unlikely to recover in between. If it is delivered, the
 * doubted one is parked: the receiver fails on that event alone.
 */
const resolve = async (
  ports: SendPorts,
  pass: RelayPass,
  doubt: Doubt,
  { attemptsBeforeParking, batchSize }: RelaySettings,
): Promise<SentBatch> => {
  const batch = await nextAfter(ports, pass.record, doubt.number, batchSize)
  if (batch === undefined) return { ...pass, doubt: O.some(doubt) }
  const [delivery] = await publish(ports, batch.events)
  if (delivery?._tag !== 'Delivered') return { ...pass, doubt: O.none }
  const record = {
    ...pass.record,
    pending: subtract(pass.record.pending, [[doubt.number, doubt.number]]),
    attempts: { number: doubt.number, count: attemptsBeforeParking - 1 },
  }
  const deliveries = new Map<number, Delivery>([
    [doubt.number, { _tag: 'Poisoned', reason: doubt.reason }],
    [batch.upTo, delivery],
  ])
  const resolved = settle(record, batch, deliveries, attemptsBeforeParking)
  return {
    ...resolved,
    record: O.isNone(resolved.outage) ? resolved.record : pass.record,
    sent: pass.sent + resolved.sent,
    parked: [...pass.parked, ...resolved.parked],
    isWhole: false,
    doubt: O.none,
  }
}

/** Publishes a batch in order. A failed delivery is part of the result; the events then stay pending. Never rejects. */
export const sendBatch =
  (ports: SendPorts) =>
  (record: RelayRecord, batch: RelayBatch, settings: RelaySettings, doubt: O.Option<Doubt> = O.none): Task<SentBatch> =>
  async () => {
    const events = batch.events.filter((event) => isIn(record.pending, eventNumber(event)))
    const reported = events.length === 0 ? [] : await publish(ports, events)
    const deliveries = new Map(events.map((event, at) => [eventNumber(event), reported[at]]))
    const pass = settle(record, batch, deliveries, settings.attemptsBeforeParking)
    const hasResponded = O.isSome(pass.outage) && pass.outage.value.hasResponded === true
    const next = doubtAfter(doubt, pass)
    return hasResponded && O.isSome(next) && next.value.responses >= settings.attemptsBeforeParking
      ? resolve(ports, pass, next.value, settings)
      : { ...pass, doubt: next }
  }
