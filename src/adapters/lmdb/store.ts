// The embedded store: the storage ports over one folder, which several processes on one machine can share.
import type { ReportDamage } from '../../ports/damage-report.js'
import type { Notify } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import { makeLmdbApiKeyStore } from './api-key-store.js'
import { mergeArchive } from './archive/archive-merging.js'
import { archiveSize, readArchive } from './archive/archive-reading.js'
import { openEnvironment } from './environment/environment.js'
import { markRelayed } from './event-queuing.js'
import { makeLmdbIdGenerator } from './id-generator.js'
import { makeLmdbOutbox } from './outbox.js'
import { makeLmdbPetRepository } from './pet-repository.js'

export interface LmdbStoreSettings {
  /** Created with mode 0700 if it is missing. */
  readonly directory: string
  /**
   * Whether to refuse a foreign or truncated data file with a message. Without the check, LMDB crashes the process. Set it in
   * the process that starts first; a process beside a running one needs no check.
   */
  readonly checksDataFile: boolean
  /** Whether this process relays events. Once any process does, all of them queue the events of new pets from then on. */
  readonly isRelayed: boolean
  readonly reportDamage: ReportDamage
  /**
   * Receives one notice when the open folder is deleted or replaced (all writes are then refused), one when it is back, and
   * one when the first event waits for another process.
   */
  readonly notify: Notify
}

/**
 * Opens the store. If the folder cannot be used (no permission, a newer format, a foreign or truncated data file), rejects
 * with a readable message and leaves the folder unchanged. Close the store before the process exits: an exit during a commit
 * becomes a kill.
 *
 * @example
 * const folder = { directory: './pets', checksDataFile: true }
 * const store = await openLmdbStore({ ...folder, isRelayed: false, reportDamage: console.error, notify: console.info })
 * await store.pets.findById(1n)() // => E.right(O.none)
 * await store.close()
 */
export const openLmdbStore = async (settings: LmdbStoreSettings): Promise<ArchivedStore> => {
  const environment = await openEnvironment(settings)
  if (settings.isRelayed) await markRelayed(environment)
  return {
    pets: makeLmdbPetRepository(environment, settings),
    ids: makeLmdbIdGenerator(environment),
    apiKeys: makeLmdbApiKeyStore(environment, settings.reportDamage),
    outbox: makeLmdbOutbox(environment, settings.reportDamage),
    archive: {
      size: environment.read(archiveSize),
      read: readArchive(environment),
      merge: mergeArchive(environment),
    },
    ping: environment.ping,
    close: environment.close,
  }
}
