// The embedded store: the storage ports over one folder, which several processes on one machine can share.
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import type { StoreObserver } from '../../ports/store-observer.js'
import { makeLmdbApiKeyStore } from './api-key-store.js'
import { makeLmdbArchive } from './archive.js'
import { openEnvironment } from './environment/environment.js'
import type { FolderSettings } from './environment/folder.js'
import { makeLmdbEventLog, makeLmdbRelayState } from './event-log.js'
import { makeLmdbIdGenerator } from './id-generator.js'
import { makeLmdbPetRepository } from './pet-repository.js'

export interface LmdbStoreSettings extends FolderSettings {
  readonly reportDamage: ReportDamage
  /** Receives the measurements of the store; absent: nothing is measured. */
  readonly observer?: StoreObserver | undefined
}

const open = async (settings: LmdbStoreSettings): Promise<ArchivedStore> => {
  const environment = await openEnvironment(settings)
  const { reportDamage } = settings
  return {
    pets: makeLmdbPetRepository(environment, reportDamage),
    ids: makeLmdbIdGenerator(environment),
    apiKeys: makeLmdbApiKeyStore(environment, reportDamage),
    log: makeLmdbEventLog(environment, reportDamage),
    relay: makeLmdbRelayState(environment),
    archive: makeLmdbArchive(environment),
    ping: environment.ping,
    close: environment.close,
  }
}

/**
 * Opens the store. `Unavailable` if the folder cannot be used (no permission, a newer format, a foreign or truncated data
 * file): its cause has a readable message, and the folder is unchanged. Close the store before the process exits: an exit during a commit
 * becomes a kill.
 *
 * @example
 * const folder = { directory: './pets', checksDataFile: true }
 * const open = openLmdbStore({ ...folder, reportDamage: console.error, notify: console.info })
 * const opened = await open()
 * if (E.isLeft(opened)) throw opened.left.cause
 * await opened.right.pets.findById(1n)() // => E.right(O.none)
 * await opened.right.close()
 */
export const openLmdbStore = (settings: LmdbStoreSettings): TaskEither<Unavailable, ArchivedStore> =>
  tryCatch(() => open(settings), unavailable)
