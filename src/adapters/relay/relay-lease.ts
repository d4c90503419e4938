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
import type { EventLog } from '../../ports/event-log.js'
import type { Ports } from '../../ports/index.js'
import { attempt, type OutageReport } from './waiting.js'

/**
 * The stored record, or the first one, which starts where the log is final now, but before the number. Sets back a
 * position beyond the end of the log: after a restore of older pets, it would skip the next events.
 */
const recordOn = async (
  log: EventLog,
  stored: O.Option<RelayRecord>,
  before: () => number,
): Promise<E.Either<Unavailable, RelayRecord>> => {
  const head = await log.head()
  if (E.isLeft(head)) return head
  const { last } = head.right
  if (O.isSome(stored)) {
    const isBeyond = stored.value.position > last
    return E.right(isBeyond ? rewoundTo(stored.value, Math.min(last, before() - 1)) : stored.value)
  }
  const end = await log.read({ after: last, limit: 1 })()
  // `before` is called after the reads, which may include a pet that was added meanwhile
  return E.isLeft(end) ? end : E.right(unusedAfter(Math.min(last, end.right.upTo, before() - 1)))
}

/**
 * Stores the first record of a relay unless there is one, so that any relay sends all events added from now on. Stores
 * nothing once `late` is aborted, because that would skip events added since then.
 */
export const beginRelaying =
  ({ log, relay }: Pick<Ports, 'log' | 'relay'>, late: AbortSignal): TaskEither<Unavailable, unknown> =>
  async () => {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const record = await recordOn(log, loaded.right, () => Number.POSITIVE_INFINITY)
    if (E.isLeft(record) || record.right === O.toUndefined(loaded.right) || late.aborted) return record
    return relay.save(nextVersion(record.right))()
  }

/**
 * Resolves to the record if this relay may run now; otherwise call it again later. Another relay's lease ends when its
 * record has not changed for the time stated in it, by the monotonic clock of this process. `startsBefore`: the first
 * number that this process has proposed for a pet; the first relay of a store begins before it.
 */
export const makeLease = (
  ports: Pick<Ports, 'log' | 'relay' | 'clock' | 'crypto'>,
  leaseMs: DurationMs,
  startsBefore: () => number,
): TaskEither<Unavailable, O.Option<RelayRecord>> => {
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
    const record = await recordOn(log, loaded.right, startsBefore)
    if (E.isLeft(record)) return record
    const taken = nextVersion(record.right, { holder, leaseMs })
    const saved = await relay.save(taken)()
    if (E.isLeft(saved)) return saved
    return E.right(saved.right ? O.some(taken) : O.none)
  }
}

/** The record while this process holds it, with the progress since the last save and the time of the next one. */
export const makeRelayMemory = (
  { relay, clock }: Pick<Ports, 'relay' | 'clock'>,
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
    const saved = await attempt(() => relay.save(next)())
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
