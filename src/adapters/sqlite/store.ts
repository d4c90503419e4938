// The embedded store: the storage ports over one SQLite file, which any number of processes on one machine can share.
import { join } from 'node:path'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { byAge, hasEndedBefore } from '../../domain/api-keys/api-key.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { asError } from '../../domain/thrown.js'
import type { Notify, ReportDamage } from '../../ports/notice.js'
import type { StoreObserver } from '../../ports/observer.js'
import type { ArchivedStore } from '../../ports/store.js'
import { makeSqliteArchive } from './archive.js'
import { connect, read, setUpWriter, unlessBusy } from './file/connection.js'
import { checkFiles, fileLevels, filesOf, identify, syncToDisk } from './file/files.js'
import { DATABASE, explain, prepareFolder } from './file/folder.js'
import { ensureSchema, tablesOf } from './file/schema.js'
import { makeSqlitePets } from './pets.js'
import { apiKeys, type Decoded, decodeEvent, eventRowsAfter, highestId, loadRelay } from './records.js'
import { COMMIT, makeWriter } from './writing/writer.js'

export interface SqliteStoreSettings {
  /** Created with mode 0700 if it is missing. */
  readonly directory: string
  readonly reportDamage: ReportDamage
  /** Receives a `fatal` notice when the store can never write again in this process. */
  readonly notify: Notify
  /** Receives the measurements of the store; absent: nothing is measured. */
  readonly observer?: StoreObserver | undefined
  /** Milliseconds after which a write is `Unavailable`; 2,000 by default, because a create has 5 s for its response. */
  readonly writeTimeoutMs?: number | undefined
}

/** API keys removed per transaction; few, because creates wait for its end. */
const REMOVED_AT_ONCE = 500

/** Opens the connection of the main thread; also returns the id of the log and the identities of the files. */
const openReader = (path: string) => {
  const [found] = identify(path)
  const connection = connect(path, { readOnly: false })
  /** A restore may have replaced the file while we waited for its lock; this connection would use the former store. */
  const checkPlace = ([present]: ReturnType<typeof identify>): void => {
    if (present !== found) throw new Error(`${path} was replaced while it was being opened: start again`)
  }
  try {
    unlessBusy(() => {
      // before the mode is changed, and again behind the lock
      tablesOf(connection)
      setUpWriter(connection)
      ensureSchema(connection)
    })
    connection.exec('PRAGMA query_only = ON')
    const logId = connection.first<[string]>('SELECT log_id FROM store')?.[0]
    if (logId === undefined) throw new Error('the id of its log is missing')
    // after a kill, SQLite shows unsynced commits; a power failure must not take back an event that was read
    syncToDisk(filesOf(path)[1])
    const files = identify(path)
    checkPlace(files)
    return { connection, logId, files }
  } catch (error) {
    connection.close()
    throw error
  }
}

const openIn = async (settings: SqliteStoreSettings): Promise<ArchivedStore> => {
  if ('Deno' in globalThis)
    throw new Error('a thread of Deno cannot receive writes while it waits for a lock: use Node')
  const { directory, reportDamage, notify, observer, writeTimeoutMs: limitMs = 2_000 } = settings
  const path = await prepareFolder(directory, (reason) =>
    notify({ level: 'warn', message: `every user may look into ${directory}`, details: { reason } }),
  )
  const { connection, logId, files } = openReader(path)
  const { write, end, close } = makeWriter({ path, files, limitMs, notify, observer })
  const freeBytes = () => Number(connection.pragma('freelist_count') * connection.pragma('page_size'))
  observer?.watch([COMMIT], () => fileLevels(path, freeBytes()))

  const storage = Symbol(path)
  const orReport = <A>(records: readonly Decoded<A>[]): readonly A[] => {
    for (const damage of RA.lefts(records)) reportDamage(damage)
    return RA.rights(records)
  }
  const lastNumber = () => Number(highestId(connection))
  let closed: Promise<void> | undefined

  return {
    ...makeSqlitePets({ connection, storage, write, reportDamage }),
    apiKeys: {
      add: (key) => write('addKey', key),
      addFirst: (key) => write('addFirstKey', key),
      find: (id) => read(() => RA.head(orReport(apiKeys(connection, id)))),
      list: read(() => [...orReport(apiKeys(connection))].sort(byAge)),
      change: (...change) => write('changeKey', change),
      removeEnded: (before) =>
        pipe(
          read(() => RA.rights(apiKeys(connection)).filter((key) => hasEndedBefore(key, before))),
          TE.map(
            flow(
              RA.map(({ id }) => id),
              RA.chunksOf(REMOVED_AT_ONCE),
            ),
          ),
          TE.flatMap(TE.traverseSeqArray((ids) => write('removeEndedKeys', [ids, before]))),
          TE.map(RA.reduce(0, (sum, removed: number) => sum + removed)),
        ),
    },
    // ids follow commit order, so gaps never fill; commits are visible only once synced, so none that was read is lost
    log: {
      storage,
      head: read(() => ({ logId, last: lastNumber() })),
      read: ({ after, limit }) =>
        read(() => {
          // read before the rows, so that `upTo` never passes a pet added in between
          const last = lastNumber()
          const rows = eventRowsAfter(connection, after, limit)
          const found = rows.map(decodeEvent)
          const damaged = RA.lefts(found).map(({ id }) => Number(id))
          return { events: orReport(found), damaged, upTo: Number(rows.at(-1)?.[0] ?? last) }
        }),
    },
    relay: {
      storage,
      load: read(() => loadRelay(connection, reportDamage)),
      save: (record) => write('saveRelay', record),
    },
    archive: makeSqliteArchive({ connection, write }),
    ping: read(() => {
      try {
        checkFiles(path, files)
      } catch (error) {
        end(asError(error).message)
        throw error
      }
      connection.first('SELECT 1 FROM store')
    }),
    close: () => (closed ??= close().then(connection.close)),
  }
}

/**
 * Opens the store. `Unavailable` if the folder cannot be used (no permission, a newer schema, the file of another
 * program): its cause has a readable message, and the folder is unchanged.
 *
 * @example
 * const open = openSqliteStore({ directory: './pets', reportDamage: console.error, notify: console.info })
 * const opened = await open()
 * if (E.isLeft(opened)) throw opened.left.cause
 * await opened.right.pets.findById(1n)() // => E.right(O.none)
 * await opened.right.close()
 */
export const openSqliteStore = (settings: SqliteStoreSettings): TE.TaskEither<Unavailable, ArchivedStore> =>
  TE.tryCatch(
    () =>
      openIn(settings).catch(async (cause: unknown) => {
        throw new Error(
          `cannot open the store in ${settings.directory}: ${explain(cause, join(settings.directory, DATABASE))}`,
          { cause },
        )
      }),
    unavailable,
  )
