// Runs the relay of a store: one process at a time publishes the events of the log, in order; the others stand by.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { refuseMixed } from '../../domain/events/read-feed.js'
import { type RelayBatch, type RelaySettings, readBatch, withoutBatch } from '../../domain/events/relay-events.js'
import { nextVersion, type RelayRecord, releasedFrom } from '../../domain/events/relay-record.js'
import { type Doubt, makeBackOff, sendBatch } from '../../domain/events/send-batch.js'
import type { Ports } from '../../ports/index.js'
import type { Notify } from '../../ports/notice.js'
import { makeOutageReport } from './outage-report.js'
import { makeLease, renewing } from './relay-lease.js'

export interface RelayLoopSettings extends RelaySettings {
  /** Time between two reads if nothing calls `wake`. */
  readonly pollIntervalMs: number
  /** Time between two saves while events are sent. What was sent since the last one is sent again after a crash. */
  readonly saveIntervalMs: number
  /** Where the first relay of a store begins; by default, where the log ends when this one first reads it. */
  readonly startsAfter?: number | undefined
}

export const DEFAULT_RELAY: RelayLoopSettings = {
  batchSize: 256,
  leaseMs: 10_000,
  attemptsBeforeParking: 5,
  backOff: { initialMs: 100, maxMs: 5_000 },
  pollIntervalMs: 1_000,
  saveIntervalMs: 50,
}

export interface Relay {
  /** Call it after each create; it is cheap. */
  readonly wake: () => void
  /** Whether this process publishes the events of its store. If not, another one does, or the store is unavailable. */
  readonly isActive: () => boolean
  /** Resolves once the batch in flight is settled and the position saved; another relay then takes over at once. */
  readonly stop: Task<void>
}

/** Calls a port; a defect of it counts as unavailable. */
const attempt = <A>(call: TaskEither<Unavailable, A>): Promise<E.Either<Unavailable, A>> =>
  call().catch((defect: unknown) => E.left(unavailable(defect)))

/** Whether there is something to send or to park. */
const isFilled = ({ events, damaged }: RelayBatch): boolean => events.length + damaged.length > 0

/**
 * Relays until it is stopped. It never fails: it reports each outage and recovery to `notify` once, and keeps retrying. Throws if the
 * ports `log` and `relay` belong to different storages.
 *
 * @example
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { ...makeMemoryStore(), publisher, clock: systemClock, crypto: nodeCrypto }
 * const relay = startRelay(ports, DEFAULT_RELAY, ({ message }) => console.error(message))
 * await relay.stop()
 */
export const startRelay = (
  ports: Pick<Ports, 'log' | 'relay' | 'publisher' | 'clock' | 'crypto'>,
  settings: RelayLoopSettings,
  notify: Notify,
): Relay => {
  refuseMixed(ports)
  const { clock, relay } = ports
  const { batchSize, pollIntervalMs, saveIntervalMs } = settings
  const acquire = makeLease(ports, settings)
  const backOff = makeBackOff(ports.crypto, settings.backOff)
  const outage = makeOutageReport(notify)
  const [read, send] = [readBatch(ports), sendBatch(ports)]
  /** The holder must save twice within the lease, even if one save takes long. */
  const renewMs = settings.leaseMs / 3
  let [isActive, isStopped, isWoken] = [false, false, false]
  let interrupt = (_isWake: boolean): void => {}
  /** When the receiver may be tried again, by the monotonic clock. */
  let restsUntil = 0

  /** Ends after the time, at a stop, or (if `isWakeable`) when a create wakes the relay. */
  const wait = async (ms: number, isWakeable: boolean): Promise<void> => {
    if (isStopped || (isWakeable && isWoken)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = (isWake) => {
        if (isWake && !isWakeable) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Sends what is pending until the relay is stopped, a port fails, or another relay or a command has changed the record. */
  const relayFrom = async (acquired: RelayRecord): Promise<void> => {
    let record = acquired
    let [savedAt, isDirty] = [clock.monotonicMs(), false]
    let doubt: O.Option<Doubt> = O.none
    let ahead: Promise<E.Either<Unavailable, O.Option<RelayBatch>>> | undefined

    const saveMs = (): number => (isDirty ? saveIntervalMs : renewMs)

    const save = async (isHeld = true): Promise<boolean> => {
      const next = isHeld ? nextVersion(record) : releasedFrom(record)
      const saved = await attempt(relay.save(next))
      if (E.isLeft(saved)) outage.fails('position', saved.left.cause)
      else outage.works('position')
      const isSaved = E.isRight(saved) && saved.right
      if (isSaved) [record, savedAt, isDirty] = [next, clock.monotonicMs(), false]
      return isSaved
    }

    const saveIfDue = async (): Promise<boolean> => clock.monotonicMs() - savedAt < saveMs() || save()

    /** The next events to be sent; none if there are none yet. */
    const readNext = async () => {
      const early = await ahead
      ahead = undefined
      if (early !== undefined && E.isRight(early) && O.exists(isFilled)(early.right)) return early
      isWoken = false
      return attempt(read(record, batchSize))
    }

    const sendOne = async (batch: RelayBatch): Promise<void> => {
      const sending = send(record, batch, settings, doubt)()
      // reads the next events while these are on their way
      ahead = attempt(read(withoutBatch(record, batch), batchSize))
      const pass = await renewing(sending, save, renewMs)
      ;[record, doubt, isDirty] = [{ ...pass.record, version: record.version }, pass.doubt, true]
      if (!pass.isWhole) ahead = undefined
      for (const { number, reason } of pass.parked) {
        notify({ level: 'error', message: 'an event was parked', details: { subject: String(number), reason } })
      }
      const failed = O.toUndefined(pass.outage)
      if (failed === undefined) outage.works('delivery')
      else outage.fails('delivery', failed.reason, pass.sent > 0)
      const attempts = Math.max(outage.failures(), pass.failures)
      if (attempts === 0) return
      const requestedMs = failed?.wait === 'longest' ? settings.backOff.maxMs : (failed?.wait ?? 0)
      restsUntil = clock.monotonicMs() + Math.max(backOff(attempts), requestedMs)
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
        outage.fails('log', batch.left.cause)
        return
      }
      outage.works('log')
      const filled = O.filter(isFilled)(batch.right)
      if (O.isSome(filled)) await sendOne(filled.value)
      else if (O.isSome(batch.right)) record = withoutBatch(record, batch.right.value)
      if (!(await saveIfDue())) return
      if (O.isNone(filled)) await wait(Math.min(pollIntervalMs, saveMs()), true)
    }
    await save(false)
  }

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const acquired = await attempt(acquire)
      if (E.isLeft(acquired)) outage.fails('log', acquired.left.cause)
      else if (O.isNone(acquired.right)) outage.works('log')
      else {
        isActive = true
        // a defect of the publisher, which never rejects
        await relayFrom(acquired.right.value).catch((defect: unknown) => outage.fails('delivery', defect))
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
      interrupt(true)
    },
    isActive: () => isActive,
    stop: async () => {
      isStopped = true
      interrupt(false)
      await running
    },
  }
}
