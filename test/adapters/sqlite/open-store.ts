// Opens the embedded store of a test until it ends. Reports are ignored unless the test collects them.
import { open } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { type Connection, connect, using } from '../../../src/adapters/sqlite/file/connection.js'
import { DATABASE } from '../../../src/adapters/sqlite/file/folder.js'
import { openSqliteStore, type SqliteStoreSettings } from '../../../src/adapters/sqlite/store.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export const PAGE_BYTES = 4_096

/** Longer than in the service: a test waits for a busy machine. */
const WRITE_TIMEOUT_MS = 60_000

export const openStoreIn = async (
  directory: string,
  settings: Partial<SqliteStoreSettings> = {},
): Promise<ArchivedStore> => {
  const ignored = { reportDamage: () => {}, notify: () => {}, writeTimeoutMs: WRITE_TIMEOUT_MS }
  const opened = await openSqliteStore({ directory, ...ignored, ...settings })()
  if (E.isLeft(opened)) throw opened.left.cause
  const store = opened.right
  onTestFinished(store.close)
  return store
}

/** Changes the database without the adapter, as the `sqlite3` shell does. */
export const change = (directory: string, work: (connection: Connection) => void): void => {
  const connection = connect(`${directory}/${DATABASE}`, { readOnly: false })
  try {
    // the store may be checkpointing its log
    connection.exec('PRAGMA busy_timeout = 5000')
    work(connection)
  } finally {
    connection.close()
  }
}

/** Overwrites the page at the root of a table or an index of a database that no process has open. */
export const damagePage = async (path: string, name: string, bytes = Buffer.alloc(PAGE_BYTES)): Promise<void> => {
  const page = using(path, { readOnly: true }, ({ first }) =>
    Number(first<[bigint]>('SELECT rootpage FROM sqlite_schema WHERE name = ?', name)?.[0]),
  )
  const file = await open(path, 'r+')
  await file.write(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  await file.close()
}

/** Replaces the names by bytes that are not UTF-8. */
export const damagePets = (directory: string, ...ids: readonly number[]): void =>
  change(directory, ({ exec }) => exec(`UPDATE pets SET name = CAST(x'ff' AS TEXT) WHERE id IN (${ids.join()})`))

export const DAMAGED_NAME = '/name: must be a string'
