// Opens the embedded store of a test, and closes it when the test ends. Its reports are ignored unless the test collects them.
import * as E from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { type Environment, openEnvironment } from '../../../src/adapters/lmdb/environment/environment.js'
import { type LmdbStoreSettings, openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import type { Tables } from '../../../src/adapters/lmdb/tables/tables.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'

export const openStoreIn = async (
  directory: string,
  settings: Partial<LmdbStoreSettings> = {},
): Promise<ArchivedStore> => {
  const open = openLmdbStore({
    directory,
    checksDataFile: true,
    reportDamage: () => {},
    notify: () => {},
    ...settings,
  })
  const opened = await open()
  if (E.isLeft(opened)) throw E.toError(opened.left.cause)
  onTestFinished(opened.right.close)
  return opened.right
}

export const openEnvironmentIn = async (directory: string): Promise<Environment> => {
  const environment = await openEnvironment({ directory, checksDataFile: true, notify: () => {} })
  onTestFinished(environment.close)
  return environment
}

/** Opens the store in the folder past its adapter, runs each job in a separate commit, and closes it. */
export const writeTables = async (directory: string, ...jobs: readonly ((tables: Tables) => void)[]): Promise<void> => {
  const environment = await openEnvironmentIn(directory)
  for (const job of jobs) {
    await succeed(
      environment.write((tables) => {
        job(tables)
        return E.right(undefined)
      }),
    )
  }
  await environment.close()
}
