// The embedded store: the storage ports over one SQLite file, which any number of processes on one machine can share.

import * as E from 'fp-ts/lib/Either.js'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { idAbove } from '../../domain/pets/decide-add.js'
import { asError } from '../../domain/thrown.js'
import type { Notify, ReportDamage } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import type { StoreObserver } from '../../ports/store-observer.js'
import { faultOf, fileLevels, identify } from './file/files.js'
import { prepareFolder, withOwner } from './file/folder.js'
import { makeSqliteApiKeyStore } from './ports/api-key-store.js'
import { makeSqliteArchive } from './ports/archive.js'
import { makeSqliteEventLog, makeSqliteRelayState } from './ports/event-log.js'
import { makeSqlitePetRepository } from './ports/pet-repository.js'
import { openReader } from './ports/reader.js'
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

const openIn = async (settings: SqliteStoreSettings, writeTimeoutMs?: number): Promise<ArchivedStore> => {
  const { directory, reportDamage, notify, observer } = settings
  const path = await prepareFolder(directory)
  const { reader, logId } = await openReader(path)
  const { connection } = reader
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

  const close = async (): Promise<void> => {
    await writer.close()
    connection.close()
  }
  let closed: Promise<void> | undefined

  return {
    pets: makeSqlitePetRepository(reader, writer, added, reportDamage),
    ids: { storage: reader.storage, next },
    apiKeys: makeSqliteApiKeyStore(reader, writer, reportDamage),
    log: makeSqliteEventLog(reader, logId, reportDamage),
    relay: makeSqliteRelayState(reader, writer),
    archive: makeSqliteArchive(reader, writer, added),
    ping: reader.read(() => {
      const reason = faultOf(path, files)
      if (reason !== undefined) writer.end(reason)
      if (reason !== undefined) throw new Error(reason)
      connection.first('SELECT 1 FROM store')
    }),
    close: () => (closed ??= close()),
  }
}

/** Rejects with a readable message. `writeTimeoutMs`, for tests: how long a write may take. */
export const openStore = async (settings: SqliteStoreSettings, writeTimeoutMs?: number): Promise<ArchivedStore> => {
  try {
    return await openIn(settings, writeTimeoutMs)
  } catch (cause) {
    const { message } = asError(await withOwner(cause))
    throw new Error(`cannot open the store in ${settings.directory}: ${message}`, { cause })
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
