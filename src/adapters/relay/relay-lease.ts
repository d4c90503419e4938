// Decides which relay of a store runs, and keeps its record meanwhile. Compares no clocks of different machines: a
// relay whose record does not change for the duration of its lease is considered dead.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DurationMs } from '../../domain/codecs/scalar.js'
import type { Unavailable } from '../../domain/errors.js'
import {
  nextVersion,
  type RelayRecord,
  releasedFrom,
  rewoundTo,
  unusedAfter,
} from '../../domain/events/relay-record.js'
import type { Clock } from '../../ports/clock.js'
import type { Ports } from '../../ports/index.js'
import { defectAsUnavailable, type OutageReport } from './waiting.js'

/** Without the clock of day, which may be set: a relay measures only spans. */
export interface LeasePorts extends Pick<Ports, 'log' | 'relay' | 'crypto'> {
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/**
 * Resolves to the record if this relay may run now; otherwise call it again later. Another relay's lease ends when its
 * record has not changed for the time stated in it, by the monotonic clock of this process.
 */
export const makeLease = (ports: LeasePorts, leaseMs: DurationMs): TaskEither<Unavailable, O.Option<RelayRecord>> => {
  const { log, relay, clock, crypto } = ports
  const holder = crypto.uuid()
  let seen = { version: 0, at: 0 }

  const isFree = (record: RelayRecord): boolean => {
    if (record.holder === undefined) return true
    const now = clock.monotonicMs()
    if (record.version !== seen.version) seen = { version: record.version, at: now }
    return now - seen.at >= record.leaseMs
  }

  return async () => {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const stored = O.toUndefined(loaded.right)
    // still the holder: a command has changed the record, or the reply to an own save was lost
    if (stored?.holder === holder) return loaded
    if (stored !== undefined && !isFree(stored)) return E.right(O.none)
    const head = await log.head()
    if (E.isLeft(head)) return head
    const { last } = head.right
    const record = stored ?? unusedAfter(0)
    // a position beyond the end of the log, after a restore of older pets, would skip the next events
    const known = record.position > last ? rewoundTo(record, last) : record
    const taken = nextVersion(known, { holder, leaseMs })
    const saved = await relay.save(taken)()
    if (E.isLeft(saved)) return saved
    return E.right(saved.right ? O.some(taken) : O.none)
  }
}

/** The record while this process holds it, with the progress since the last save and the time of the next one. */
export const makeRelayMemory = (
  { relay, clock }: Pick<LeasePorts, 'relay' | 'clock'>,
  { leaseMs, saveIntervalMs }: { readonly leaseMs: DurationMs; readonly saveIntervalMs: DurationMs },
  outage: OutageReport,
  acquired: RelayRecord,
) => {
  let record = acquired
  let savedAt = clock.monotonicMs()
  let isDirty = false
  /** A third of the lease, so that two saves fit into it even if one is slow. */
  const renewMs = leaseMs / 3

  const intervalMs = (): DurationMs => (isDirty ? saveIntervalMs : renewMs)

  const store = async (next: RelayRecord): Promise<boolean> => {
    const saved = await defectAsUnavailable(() => relay.save(next)())
    if (E.isLeft(saved)) outage.fails('position', saved.left.cause)
    else outage.works('position')
    const isSaved = E.isRight(saved) && saved.right
    if (isSaved) [record, savedAt, isDirty] = [next, clock.monotonicMs(), false]
    return isSaved
  }

  const save = (): Promise<boolean> => store(nextVersion(record))

  return {
    record: () => record,
    /** `isProgress`: save soon, because a crash repeats everything since the last save. */
    put: (next: RelayRecord, isProgress: boolean): void => {
      record = { ...next, version: record.version }
      isDirty ||= isProgress
    },
    intervalMs,
    /** False if another relay or a command has changed the record, or the save failed; then acquire it again. */
    saveIfDue: async (): Promise<boolean> => clock.monotonicMs() - savedAt < intervalMs() || save(),
    release: () => store(releasedFrom(record)),
    /** Waits for `sending`, and saves meanwhile, because a slow receiver may take longer than the lease. */
    renewing: async <A>(sending: Promise<A>): Promise<A> => {
      let renewed = Promise.resolve<unknown>(undefined)
      const timer = setInterval(() => {
        renewed = renewed.then(save)
      }, renewMs)
      const result = await sending.finally(() => clearInterval(timer))
      await renewed
      return result
    },
  }
}
