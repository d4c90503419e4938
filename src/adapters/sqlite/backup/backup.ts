// Backs up the embedded store to one file while other processes write, and restores such a file over an unused store.
import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { asError } from '../../../domain/thrown.js'
import { type Connection, connect, isBusy, unlessBusy, using } from '../file/connection.js'
import { filesOf, giveToOwner, LAST_BACKUP, statOf, syncToDisk } from '../file/files.js'
import { checkForeign, DATABASE, holdsStore, makeFolder } from '../file/folder.js'
import { createWhole } from '../file/new-file.js'
import { hasSchema } from '../file/schema.js'
import { highestId, lastId } from '../records.js'

/** A compact, consistent copy. The copy holds a snapshot until it is done, so the log of the store grows meanwhile. */
const copyTo = async (source: string, draft: string): Promise<void> => {
  using(source, { readOnly: true }, (connection) => {
    if (!unlessBusy(() => hasSchema(connection)))
      throw new Error(`${source} has no tables, as if it was copied without its log`)
    connection.run('VACUUM INTO ?', draft)
  })
  await chmod(draft, 0o600)
}

/** For the metrics. Creates a new file each time: a file that root wrote could not be overwritten by the service. */
const recordBackup = async (file: string): Promise<void> => {
  const draft = join(dirname(file), `.${LAST_BACKUP}-${randomUUID()}`)
  await writeFile(draft, '', { mode: 0o600 })
  await giveToOwner(draft)
  await rename(draft, file)
}

export interface Backup {
  readonly bytes: number
  /** Why the time of the backup was not recorded; the metrics then still show the previous backup. */
  readonly unrecorded: string | undefined
}

/**
 * Backs up the store to a new file, synced to disk, which contains every write acknowledged before the call. Blocks the
 * event loop: run it in a separate process. Fails only as `Unavailable`, also if the path exists.
 */
export const backupSqliteStore = (directory: string, path: string): TaskEither<Unavailable, Backup> =>
  tryCatch(async () => {
    if (!(await holdsStore(directory))) throw new Error(`${join(directory, DATABASE)} is missing or empty`)
    await createWhole(path, (draft) => copyTo(join(directory, DATABASE), draft))
    const unrecorded = await recordBackup(join(directory, LAST_BACKUP)).then(
      () => undefined,
      (error: unknown) => asError(error).message,
    )
    return { bytes: statOf(path)?.size ?? 0, unrecorded }
  }, unavailable)

/** Ids to skip when it is unknown which ids were used after the backup: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

/** Locks the present store against other processes; undefined if it cannot be read. */
const takeAlone = (path: string): Connection | undefined => {
  const connection = connect(path, { readOnly: false })
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
    if (!hasSchema(connection)) throw new Error('it has no tables')
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) throw new Error('a process is using the store: stop it first', { cause: error })
    return undefined
  }
}

/** The last used id. The present store knows it if it continues the backup: same last event, or same log if no pets. */
const lastIdOf = (backup: Connection, present: Connection | undefined): bigint => {
  const highest = highestId(backup)
  const markOf = ({ first }: Connection) =>
    (highest === 0n ? first('SELECT log_id FROM store') : first('SELECT event_id FROM pets WHERE id = ?', highest))?.[0]
  const [one, other] = [lastId(backup), present === undefined ? 0n : lastId(present)]
  const last = one > other ? one : other
  if (present !== undefined && markOf(present) === markOf(backup)) return last
  const skipped = last + UNKNOWN_IDS
  return skipped < MAX_PET_ID ? skipped : MAX_PET_ID
}

const CREATED_MEANWHILE = 'a process has created a store there meanwhile: stop it, and restore again'

export interface Restored {
  /** Whether files of a former store were moved to `aside`. */
  readonly hadStore: boolean
  /** Every new pet gets a greater id. */
  readonly lastId: bigint
}

/**
 * Restores an undamaged backup to the folder, with a new log id; used ids are not reused. Files of an existing store
 * move to `aside`, which must not exist. `Unavailable` if a process uses the store.
 */
export const restoreSqliteStore = (
  backup: string,
  directory: string,
  aside: string,
): TaskEither<Unavailable, Restored> =>
  tryCatch(async () => {
    await makeFolder(directory)
    const path = join(directory, DATABASE)
    const [, log, index] = filesOf(path)
    const isHeld = await holdsStore(directory)
    // a folder that has lost its store may still hold its backups
    if (!isHeld && dirname(backup) !== directory) await checkForeign(directory)
    const present = isHeld ? takeAlone(path) : undefined
    let hadStore = false
    try {
      const last = using(backup, { readOnly: true }, (connection) => lastIdOf(connection, present))
      const fill = async (draft: string): Promise<void> => {
        await copyTo(backup, draft)
        // a new log id, because positions in the former log do not apply to what the restored store adds
        using(draft, { readOnly: false }, ({ run }) =>
          run('UPDATE store SET last_id = ?, log_id = ?', last, randomUUID()),
        )
      }
      await createWhole(path, fill, async (draft) => {
        if (!isHeld && (await holdsStore(directory))) throw new Error(CREATED_MEANWHILE)
        // even without a database: SQLite would replay a leftover log into the restored one
        const former = filesOf(path).filter((file) => statOf(file) !== undefined)
        hadStore = former.length > 0
        if (hadStore) {
          await mkdir(aside, { mode: 0o700 })
          await giveToOwner(aside)
          // the database is linked, not moved, so that a start after a crash always finds one of the two stores
          for (const file of former) await (file === path ? link : rename)(file, join(aside, basename(file)))
          await syncToDisk(aside)
        }
        await rename(draft, path)
        // left by a process that has just opened an empty file: SQLite would replay that log into the restored store
        for (const file of [log, index]) await rm(file, { force: true })
      })
      if (!isHeld && statOf(log)?.size) throw new Error(CREATED_MEANWHILE)
      return { hadStore, lastId: last }
    } finally {
      present?.close()
    }
  }, unavailable)
