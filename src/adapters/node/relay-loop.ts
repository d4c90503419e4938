// Runs the relay of a store: one process at a time publishes the events of the log, in order; the others stand by.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { makeBackOff } from '../../domain/events/back-off.js'
import { type RelayBatch, readBatch, withoutBatch } from '../../domain/events/relay-events.js'
import { nextVersion, type RelayRecord, releasedFrom } from '../../domain/events/relay-record.js'
import { type Doubt, sendBatch } from '../../domain/events/send-batch.js'
import type { FailedDelivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { Notify } from '../../ports/notice.js'
import { makeOutageReport } from './outage-report.js'
import { makeLease } from './relay-lease.js'
import type { RelayLoopSettings } from './relay-settings.js'

export interface Relay {
  /** Call it after each create; it is cheap. */
  readonly wake: () => void
  /** Whether this process publishes the events of its store; otherwise another one does, or the store is unavailable. */
  readonly isActive: () => boolean
  /** Resolves once the batch in flight is settled and the position saved; another relay then takes over at once. */
  readonly stop: Task<void>
}

type RelayPorts = Pick<Ports, 'log' | 'relay' | 'publisher' | 'clock' | 'crypto'>

/** The outcome of a call; a defect of a port counts as unavailable. */
const attempt = <A>(call: () => Promise<E.Either<Unavailable, A>>): Promise<E.Either<Unavailable, A>> =>
  call().catch((defect: unknown) => E.left(unavailable(defect)))

const isEmpty = ({ page }: RelayBatch): boolean => page.events.length === 0 && page.damaged.length === 0

/**
 * Relays until it is stopped. It never fails: it reports each outage and recovery to `notify` once, and keeps retrying.
 *
 * @example
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { ...makeMemoryStore(), publisher, clock: systemClock, crypto: nodeCrypto }
 * const relay = startRelay(ports, DEFAULT_RELAY, ({ message }) => console.error(message))
 * await relay.stop()
 */
export const startRelay = (ports: RelayPorts, settings: RelayLoopSettings, notify: Notify): Relay => {
  const { clock, relay } = ports
  const { batchSize, leaseMs, pollIntervalMs, saveIntervalMs } = settings
  const acquire = makeLease(ports, settings)
  const backOff = makeBackOff(ports.crypto, settings.backOff)
  const outage = makeOutageReport(notify)
  const [read, send] = [readBatch(ports), sendBatch(ports)]
  /** The holder must save twice within the lease, even if one save takes long. */
  const renewMs = leaseMs / 3
  /** How long the receiver does not want to be tried again. */
  const askedMs = O.match(
    () => 0,
    ({ wait = 0 }: FailedDelivery) => (wait === 'longest' ? settings.backOff.maxMs : wait),
  )
  let isActive = false
  let isStopped = false
  let isWoken = false
  let interrupt: ((isWake: boolean) => void) | undefined
  /** When the receiver may be tried again, by the monotonic clock. */
  let restsUntil = 0

  /** Ends after the time, at a stop, or (if `isWakeable`) when a create wakes the relay. */
  const wait = async (ms: number, isWakeable: boolean): Promise<void> => {
    if (isStopped || (isWakeable && isWoken)) return
    const ending = new AbortController()
    interrupt = (isWake) => {
      if (!isWake || isWakeable) ending.abort()
    }
    await pause(ms, undefined, { signal: ending.signal }).catch(() => {})
    interrupt = undefined
  }

  /** Sends what is pending until the relay is stopped, a port fails, or another relay or a command has changed the record. */
  const relayFrom = async (acquired: RelayRecord): Promise<void> => {
    let record = acquired
    let savedAt = clock.monotonicMs()
    let isDirty = false
    let doubt: O.Option<Doubt> = O.none
    let ahead: Promise<E.Either<Unavailable, O.Option<RelayBatch>>> | undefined

    const save = async (isHeld = true): Promise<boolean> => {
      const saved = isHeld ? nextVersion(record) : releasedFrom(record)
      const outcome = await attempt(relay.save(saved))
      if (E.isLeft(outcome)) outage.ofStore(outcome.left)
      if (E.isLeft(outcome) || !outcome.right) return false
      ;[record, savedAt, isDirty] = [saved, clock.monotonicMs(), false]
      return true
    }

    /** Milliseconds between two saves. */
    const saveMs = (): number => (isDirty ? saveIntervalMs : renewMs)

    const saveIfDue = async (): Promise<boolean> => clock.monotonicMs() - savedAt < saveMs() || (await save())

    /** The next events to be sent; none if there are none yet. */
    const readNext = async (): Promise<E.Either<Unavailable, O.Option<RelayBatch>>> => {
      const early = await ahead
      ahead = undefined
      if (early !== undefined && E.isRight(early) && O.isSome(early.right) && !isEmpty(early.right.value)) return early
      isWoken = false
      return attempt(read(record, batchSize))
    }

    /** The outcome of a slow receiver too; the lease is renewed meanwhile. */
    const renewing = async <A>(sending: Promise<A>): Promise<A> => {
      const ending = new AbortController()
      const end = (): void => ending.abort()
      void sending.then(end, end)
      while (await pause(renewMs, true, { signal: ending.signal }).catch(() => false)) await save()
      return sending
    }

    const sendOne = async (batch: RelayBatch): Promise<void> => {
      const sending = send(record, batch, settings, doubt)()
      // reads the next events while these are on their way
      ahead = attempt(read(withoutBatch(record, batch), batchSize))
      const pass = await renewing(sending)
      record = { ...pass.record, version: record.version }
      isDirty = true
      doubt = pass.doubt
      if (!pass.isWhole) ahead = undefined
      for (const { number, reason } of pass.parked) {
        notify({ level: 'error', message: 'an event was parked', details: { subject: String(number), reason } })
      }
      if (O.isNone(pass.outage)) outage.end()
      else outage.ofDelivery(pass.outage.value.reason, pass.sent > 0)
      const attempts = Math.max(outage.failures(), pass.refusals)
      if (attempts > 0) restsUntil = clock.monotonicMs() + Math.max(backOff(attempts), askedMs(pass.outage))
    }

    while (!isStopped) {
      const restMs = restsUntil - clock.monotonicMs()
      if (restMs > 0) {
        if (!(await saveIfDue())) return
        await wait(Math.min(restMs, saveMs()), false)
        continue
      }
      const batch = await readNext()
      if (E.isLeft(batch)) {
        outage.ofStore(batch.left)
        return
      }
      outage.storeAnswers()
      if (O.isSome(batch.right) && !isEmpty(batch.right.value)) {
        await sendOne(batch.right.value)
        if (!(await saveIfDue())) return
        continue
      }
      if (O.isSome(batch.right)) record = withoutBatch(record, batch.right.value)
      if (!(await saveIfDue())) return
      await wait(Math.min(pollIntervalMs, saveMs()), true)
    }
    await save(false)
  }

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const acquired = await attempt(acquire)
      if (E.isLeft(acquired)) outage.ofStore(acquired.left)
      else if (O.isSome(acquired.right)) {
        isActive = true
        // a defect of the publisher, which never rejects
        await relayFrom(acquired.right.value).catch((defect: unknown) => outage.ofDelivery(String(defect), false))
        isActive = false
        // the record was changed by a command: continue at once
        if (outage.failures() === 0) continue
      }
      await wait(outage.failures() > 0 ? backOff(outage.failures()) : pollIntervalMs, false)
    }
  }

  const running = run()
  return {
    wake: () => {
      isWoken = true
      interrupt?.(true)
    },
    isActive: () => isActive,
    stop: async () => {
      isStopped = true
      interrupt?.(false)
      await running
    },
  }
}
