// Runs the relay of a store: one process at a time publishes the events of the log, in order; the others stand by.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { DurationMs } from '../../domain/codecs/scalar.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import { refuseMixed } from '../../domain/events/read-feed.js'
import { isFilled, type RelayBatch, type RelayPass, readBatch, settle } from '../../domain/events/relay-batch.js'
import type { RelayRecord } from '../../domain/events/relay-record.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { Notify } from '../../ports/notice.js'
import { type LeasePorts, makeLease, makeRelayMemory } from './relay-lease.js'
import { type BackOff, defectAsUnavailable, makeBackOff, makeOutageReport, makePause } from './waiting.js'

export interface RelaySettings {
  /** Maximum number of events per pass. */
  readonly batchSize: number
  /** Time without a save after which another relay takes over. */
  readonly leaseMs: DurationMs
  /** Attempts before an event that the receiver refuses is parked. */
  readonly attemptsBeforeParking: number
  readonly backOff: BackOff
  /** Interval of reads if `added` is not called. */
  readonly pollIntervalMs: DurationMs
  /** Interval of saves while events are sent. After a crash, events sent since the last save are sent again. */
  readonly saveIntervalMs: DurationMs
}

export const DEFAULT_RELAY: RelaySettings = {
  batchSize: 256,
  leaseMs: 10_000,
  attemptsBeforeParking: 5,
  backOff: { initialMs: 100, maxMs: 5_000 },
  pollIntervalMs: 1_000,
  saveIntervalMs: 50,
}

export interface RelayPorts extends LeasePorts, Pick<Ports, 'publisher'> {}

export interface Relay {
  /** For `onAdded`: lets the relay read at once. Cheap. */
  readonly added: () => void
  /** Whether this process publishes the events; if not, another one does, or the store is unavailable. */
  readonly isActive: () => boolean
  /** Resolves once the batch in flight is settled and the position saved; another relay can then take over at once. */
  readonly stop: Task<void>
}

const failed = (reason: string): readonly Delivery[] => [{ _tag: 'Failed', reason }]

/** Checked, because a publisher written in JavaScript may report others. */
const TAGS: readonly unknown[] = ['Delivered', 'Failed', 'Poisoned'] satisfies readonly Delivery['_tag'][]

/** At least one delivery if there are events. A defect of the publisher counts as an outage. */
const publish = async (
  { publish }: EventPublisher,
  events: readonly DomainEvent[],
): Promise<readonly (Delivery | undefined)[]> => {
  if (events.length === 0) return []
  try {
    const deliveries = await publish(events)()
    return TAGS.includes(deliveries[0]?._tag) ? deliveries : failed('the publisher reported no delivery')
  } catch (defect) {
    return failed(String(defect))
  }
}

/**
 * Relays until it is stopped. The first relay of a store begins with its first event. It never fails: it reports each outage and recovery to `notify` once, and keeps retrying.
 * Throws if the ports `log` and `relay` belong to different storages.
 *
 * @example
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { ...makeMemoryStore(), publisher, clock: systemClock, crypto: nodeCrypto }
 * const relay = startRelay(ports, DEFAULT_RELAY, ({ message }) => console.error(message))
 * await relay.stop()
 */
export const startRelay = (ports: RelayPorts, settings: RelaySettings, notify: Notify): Relay => {
  refuseMixed(ports)
  const { clock, publisher } = ports
  const { batchSize, pollIntervalMs, attemptsBeforeParking } = settings
  const pause = makePause()
  const outage = makeOutageReport(notify)
  const backOff = makeBackOff(ports.crypto, settings.backOff)
  const read = readBatch(ports)
  let isActive = false
  /** When the receiver may be tried again, by the monotonic clock. */
  let restsUntil = 0

  /** Reports the result of a batch, and rests if the receiver was unavailable or refused an event. */
  const conclude = (pass: RelayPass): void => {
    for (const { number, reason } of pass.parked)
      notify({ level: 'error', message: 'an event was parked', details: { subject: String(number), reason } })
    const failure = O.toUndefined(pass.outage)
    if (failure === undefined) outage.works('delivery')
    else outage.fails('delivery', failure.reason, pass.sent > 0)
    const failures = Math.max(outage.failures(), pass.refusals)
    if (failures === 0) return
    // an invalid number from the receiver must not disable the wait
    const requestedMs = DurationMs.is(failure?.wait) ? failure.wait : 0
    restsUntil = clock.monotonicMs() + Math.max(backOff(failures), requestedMs)
  }

  /** Reads, sends, saves and waits until the relay is stopped, the log fails, or someone else changes the record. */
  const relayFrom = async (acquired: RelayRecord): Promise<void> => {
    const memory = makeRelayMemory(ports, settings, outage, acquired)
    let ahead: Promise<E.Either<unknown, RelayBatch>> | undefined

    /** Uses the batch read ahead, if the previous one was settled completely. */
    const next = async () => {
      const early = await ahead
      ahead = undefined
      if (early !== undefined && E.isRight(early) && isFilled(early.right)) return early
      return defectAsUnavailable(read(memory.record(), batchSize))
    }

    const send = async (batch: RelayBatch): Promise<void> => {
      const before = memory.record()
      const sending = publish(publisher, batch.events)
      const whole = { ...before, position: batch.upTo }
      if (before.retry.length === 0 && before.attempts === undefined)
        ahead = defectAsUnavailable(read(whole, batchSize))
      const deliveries = await memory.renewing(sending)
      const pass = settle(before, batch, deliveries, attemptsBeforeParking)
      if (pass.record.position !== batch.upTo) ahead = undefined
      memory.put(pass.record, true)
      conclude(pass)
    }

    while (!pause.isStopped()) {
      // before sending, because a suspended process may have lost its lease
      if (!(await memory.saveIfDue())) return
      const restMs = restsUntil - clock.monotonicMs()
      if (restMs > 0) {
        await pause.rest(Math.min(restMs, memory.intervalMs()))
        continue
      }
      const batch = await next()
      if (E.isLeft(batch)) {
        outage.fails('log', batch.left.cause)
        return
      }
      outage.works('log')
      if (isFilled(batch.right)) {
        await send(batch.right)
        continue
      }
      // moves past ids that no pet got
      memory.put(settle(memory.record(), batch.right, [], attemptsBeforeParking).record, false)
      await pause.untilWoken(Math.min(pollIntervalMs, memory.intervalMs()))
    }
    await memory.release()
  }

  const acquire = makeLease(ports, settings.leaseMs)

  const run = async (): Promise<void> => {
    while (!pause.isStopped()) {
      const acquired = await defectAsUnavailable(acquire)
      if (E.isLeft(acquired)) outage.fails('log', acquired.left.cause)
      else if (O.isNone(acquired.right)) {
        outage.works('log')
        // not for the back-off of an earlier outage, because the other relay may stop at any time
        await pause.rest(pollIntervalMs)
        continue
      } else {
        isActive = true
        // only a defect of the publisher rejects
        await relayFrom(acquired.right.value).catch((defect: unknown) => outage.fails('delivery', defect))
        isActive = false
        // a command has changed the record: continue at once
        if (outage.failures() === 0) continue
      }
      await pause.rest(outage.failures() > 0 ? backOff(outage.failures()) : pollIntervalMs)
    }
  }

  const running = run()
  return {
    added: pause.wake,
    isActive: () => isActive,
    stop: () => {
      pause.stop()
      return running
    },
  }
}
