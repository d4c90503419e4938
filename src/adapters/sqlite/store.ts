// The embedded store: the storage ports over one SQLite file, which any number of processes on one machine can share.
import * as E from 'fp-ts/lib/Either.js'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { idAbove } from '../../domain/pets/decide-add.js'
import { asError, memberOf } from '../../domain/thrown.js'
import type { Notify, ReportDamage } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import type { StoreObserver } from '../../ports/store-observer.js'
import { type Connection, connect, type Sql, unlessBusy } from './file/connection.js'
import { checkIdentity, fileLevels, filesOf, identify, syncToDisk } from './file/files.js'
import { explain, prepareFolder } from './file/folder.js'
import { ensureSchema } from './file/schema.js'
import { type Access, read } from './ports/access.js'
import { makeSqliteApiKeyStore } from './ports/api-key-store.js'
import { makeSqliteArchive } from './ports/archive.js'
import { makeSqliteEventLog, makeSqliteRelayState } from './ports/event-log.js'
import { makeSqlitePetRepository } from './ports/pet-repository.js'
import { lastId } from './records.js'
import { COMMIT, makeWriter } from './writing/writer.js'

export interface SqliteStoreSettings {
  /** Created with mode 0700 if it is missing. */
  readonly directory: string
  readonly reportDamage: ReportDamage
  /** Receives a `fatal` notice when the store can never write again in this process. */
  readonly notify: Notify
  /** Receives the measurements of the store; absent: nothing is measured. */
  readonly observer?: StoreObserver | undefined
}

/** After a kill, SQLite shows commits that nobody has synced; whoever reads them out and then loses power would break the law of the log. */
const syncLog = async (path: string): Promise<void> => {
  const [, log] = filesOf(path)
  await syncToDisk(log).catch((error: unknown) => {
    if (memberOf(error, 'code') !== 'ENOENT') throw error
  })
}

/** The connection of the main thread, and the id of the log. */
const openReader = (path: string): readonly [Connection, string] => {
  const connection = connect(path, { readOnly: false })
  try {
    unlessBusy(() => ensureSchema(connection))
    connection.exec('PRAGMA query_only = ON')
    const sql: Sql<[string]> = 'SELECT log_id FROM store'
    const row = unlessBusy(() => connection.first(sql))
    if (row === undefined) throw new Error('the id of its log is missing')
    return [connection, row[0]]
  } catch (error) {
    connection.close()
    throw error
  }
}

const openIn = async (settings: SqliteStoreSettings, writeTimeoutMs?: number): Promise<ArchivedStore> => {
  const { directory, reportDamage, notify, observer } = settings
  const path = await prepareFolder(directory)
  await syncLog(path)
  const [connection, logId] = openReader(path)
  const files = identify(path)
  const writer = makeWriter({ path, files, notify, observer }, writeTimeoutMs)
  observer?.watch([COMMIT], () => fileLevels(path, connection))

  let last = lastId(connection)
  const added = (id: bigint): void => {
    if (id > last) last = id
  }
  const next = async () => {
    const id = idAbove(last, last + 1n)
    if (E.isRight(id)) last = id.right
    return id
  }
  const access: Access = { connection, storage: Symbol(path), write: writer.write, reportDamage, added }

  const ping = (): void => {
    try {
      checkIdentity(path, files)
    } catch (error) {
      writer.end(asError(error).message)
      throw error
    }
    connection.first('SELECT 1 FROM store')
  }
  const close = async (): Promise<void> => {
    await writer.close()
    connection.close()
  }
  let closed: Promise<void> | undefined

  return {
    pets: makeSqlitePetRepository(access),
    ids: { storage: access.storage, next },
    apiKeys: makeSqliteApiKeyStore(access),
    log: makeSqliteEventLog(access, logId),
    relay: makeSqliteRelayState(access),
    archive: makeSqliteArchive(access),
    ping: read(ping),
    close: () => (closed ??= close()),
  }
}

/** Rejects with a readable message. `writeTimeoutMs`, for tests: how long a write may take. */
export const openStore = async (settings: SqliteStoreSettings, writeTimeoutMs?: number): Promise<ArchivedStore> => {
  try {
    return await openIn(settings, writeTimeoutMs)
  } catch (cause) {
    throw new Error(`cannot open the store in ${settings.directory}: ${await explain(cause)}`, { cause })
  }
}

/**
 * Opens the store. `Unavailable` if the folder cannot be used (no permission, a newer schema, the file of another program): its cause has a
 * readable message, and the folder is unchanged.
 *
 * @example
 * const open = openSqliteStore({ directory: './pets', reportDamage: console.error, notify: console.info })
 * const opened = await open()
 * if (E.isLeft(opened)) throw opened.left.cause
 * await opened.right.pets.findById(1n)() // => E.right(O.none)
 * await opened.right.close()
 */
export const openSqliteStore = (settings: SqliteStoreSettings): TaskEither<Unavailable, ArchivedStore> =>
  tryCatch(() => openStore(settings), unavailable)
