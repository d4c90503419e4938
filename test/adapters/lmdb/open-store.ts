// Opens the embedded store of a test. Its reports are ignored unless the test collects them.
import * as E from 'fp-ts/lib/Either.js'
import { type Environment, openEnvironment } from '../../../src/adapters/lmdb/environment/environment.js'
import { type LmdbStoreSettings, openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export const openStoreIn = async (
  directory: string,
  settings: Partial<LmdbStoreSettings> = {},
): Promise<ArchivedStore> => {
  const open = openLmdbStore({
    directory,
    checksDataFile: true,
    isRelayed: false,
    reportDamage: () => {},
    notify: () => {},
    ...settings,
  })
  const opened = await open()
  if (E.isLeft(opened)) throw E.toError(opened.left.cause)
  return opened.right
}

export const openEnvironmentIn = (directory: string): Promise<Environment> =>
  openEnvironment({ directory, checksDataFile: true, notify: () => {} })
