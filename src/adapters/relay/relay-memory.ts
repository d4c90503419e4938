// The record of the relay while this process holds it: what was settled since the last save, and when the next one is due.
import * as E from 'fp-ts/lib/Either.js'
import type { DurationMs } from '../../domain/codecs/instant.js'
import { nextVersion, type RelayRecord, releasedFrom } from '../../domain/events/relay-record.js'
import type { Ports } from '../../ports/index.js'
import { attempt, type OutageReport } from './outages.js'

interface SaveSettings {
  readonly leaseMs: DurationMs
  readonly saveIntervalMs: DurationMs
}

export const makeRelayMemory = (
  { relay, clock }: Pick<Ports, 'relay' | 'clock'>,
  { leaseMs, saveIntervalMs }: SaveSettings,
  outage: OutageReport,
  acquired: RelayRecord,
) => {
  let record = acquired
  let savedAt = clock.monotonicMs()
  let isDirty = false
  /** The holder must save twice within the lease, even if one save takes long. */
  const renewMs = leaseMs / 3

  const intervalMs = (): DurationMs => (isDirty ? saveIntervalMs : renewMs)

  const store = async (next: RelayRecord): Promise<boolean> => {
    const saved = await attempt(relay.save(next))
    if (E.isLeft(saved)) outage.fails('position', saved.left.cause)
    else outage.works('position')
    const isSaved = E.isRight(saved) && saved.right
    if (isSaved) [record, savedAt, isDirty] = [next, clock.monotonicMs(), false]
    return isSaved
  }

  const save = (): Promise<boolean> => store(nextVersion(record))

  return {
    record: () => record,
    /** `isProgress`: after a crash, what was achieved since the last save is repeated. */
    put: (next: RelayRecord, isProgress: boolean): void => {
      record = { ...next, version: record.version }
      isDirty ||= isProgress
    },
    intervalMs,
    /** False if another relay or a command has changed the record, or it cannot be saved: acquire it again. */
    saveIfDue: async (): Promise<boolean> => clock.monotonicMs() - savedAt < intervalMs() || save(),
    release: () => store(releasedFrom(record)),
    /** Waits for what is sent, and saves from time to time meanwhile, because a slow receiver may take longer than the lease. */
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
