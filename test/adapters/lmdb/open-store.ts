// Opens the embedded store of a test. Its reports are ignored unless the test collects them.
import { type Environment, openEnvironment } from '../../../src/adapters/lmdb/environment/environment.js'
import { type LmdbStoreSettings, openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export const openStoreIn = (directory: string, settings: Partial<LmdbStoreSettings> = {}): Promise<ArchivedStore> =>
  openLmdbStore({
    directory,
    checksDataFile: true,
    isRelayed: false,
    reportDamage: () => {},
    notify: () => {},
    ...settings,
  })

export const openEnvironmentIn = (directory: string): Promise<Environment> =>
  openEnvironment({ directory, checksDataFile: true, notify: () => {} })
