// Opens the embedded store of a test, and closes it when the test ends. Its reports are ignored unless the test collects them.
import * as E from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { type Connection, connect } from '../../../src/adapters/sqlite/connection.js'
import { DATABASE } from '../../../src/adapters/sqlite/files.js'
import { openSqliteStore, type SqliteStoreSettings } from '../../../src/adapters/sqlite/store.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export const openStoreIn = async (
  directory: string,
  settings: Partial<SqliteStoreSettings> = {},
): Promise<ArchivedStore> => {
  const opened = await openSqliteStore({ directory, reportDamage: () => {}, notify: () => {}, ...settings })()
  if (E.isLeft(opened)) throw E.toError(opened.left.cause)
  onTestFinished(opened.right.close)
  return opened.right
}

/** Changes the database of a folder past its adapter, as the `sqlite3` shell does. */
export const change = (directory: string, work: (connection: Connection) => void): void => {
  const connection = connect(`${directory}/${DATABASE}`, { readOnly: false })
  try {
    // the store may be moving its log into the database
    connection.exec('PRAGMA busy_timeout = 5000')
    work(connection)
  } finally {
    connection.close()
  }
}

/** Bytes that are not UTF-8 in place of the name. */
export const damagePets = (directory: string, ...ids: readonly number[]): void =>
  change(directory, ({ exec }) => exec(`UPDATE pets SET name = CAST(x'ff' AS TEXT) WHERE id IN (${ids.join()})`))

/** How readers report such a pet. */
export const DAMAGED_NAME = '/name: must be a string'
