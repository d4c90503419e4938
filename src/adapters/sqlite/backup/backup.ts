// Copies the embedded store to one file, while other processes write to it; and puts such a file in the place of a store that nobody uses.
import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import { type Connection, connect, isBusy, using } from '../file/connection.js'
import {
  checkForeign,
  DATABASE,
  filesOf,
  giveToOwner,
  holdsStore,
  LAST_BACKUP,
  makeFolder,
  statOf,
  syncToDisk,
} from '../file/folder.js'
import { hasSchema } from '../file/schema.js'
import { highestId, lastId } from '../records.js'

export interface Backup {
  readonly bytes: number
  /** Why the store does not know of the backup, so that its metrics still show the previous one. */
  readonly unrecorded?: string
}

/** One compact file, as the store was at one instant. It holds a snapshot for as long as it takes, so the log of the store grows meanwhile. */
const copyTo = async (source: string, path: string): Promise<void> => {
  try {
    using(source, { readOnly: true }, ({ run }) => run('VACUUM INTO ?', path))
  } finally {
    // if the disk is full, it stays
    await rm(`${path}-journal`, { force: true })
  }
  await chmod(path, 0o600)
  await giveToOwner(path)
}

/** A new file each time: one that another user has written, such as root, could not be written again. */
const recordBackup = async (directory: string): Promise<void> => {
  const file = join(directory, LAST_BACKUP)
  await rm(file, { force: true })
  await writeFile(file, '', { mode: 0o600 })
  await giveToOwner(file)
}

/**
 * Backs up the store to a new file. It contains everything that was acknowledged before the call, and is synced to disk. Blocks the event
 * loop: run it in a process of its own. Fails only as `Unavailable`, also if the path exists.
 */
export const backupSqliteStore = (directory: string, path: string): TaskEither<Unavailable, Backup> =>
  tryCatch(async () => {
    const parent = dirname(path)
    if (!(await holdsStore(directory))) throw new Error(`there is no store in ${directory}`)
    if (statOf(path) !== undefined) throw new Error(`${path} exists already`)
    if (statOf(parent) === undefined) throw new Error(`the folder ${parent} does not exist`)
    // in the same folder as the backup, so that the last step is a rename: a backup under its name is always complete
    const draft = join(parent, `.${basename(path)}.unfinished-${randomUUID()}`)
    try {
      await copyTo(join(directory, DATABASE), draft)
      await syncToDisk(draft)
      await rename(draft, path)
      await syncToDisk(parent)
    } finally {
      await rm(draft, { force: true })
    }
    const unrecorded = await recordBackup(directory).catch((error: unknown) => asError(error).message)
    return { bytes: (await stat(path)).size, ...(unrecorded !== undefined && { unrecorded }) }
  }, unavailable)

/** Ids to skip if the store that was backed up cannot tell which it has given out: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

/** The present store, which no other process can open meanwhile; undefined if it cannot be read. */
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

/** The last id that neither store may give out again. The present one knows all ids if it has what the backup has. */
const lastIdOf = (backup: Connection, present: Connection | undefined): bigint => {
  const eventOf = ({ first }: Connection) => first('SELECT event_id FROM pets WHERE id = ?', highestId(backup))?.[0]
  const known = [lastId(backup), present === undefined ? 0n : lastId(present)]
  const last = known.reduce((most, id) => (id > most ? id : most))
  return present !== undefined && eventOf(present) === eventOf(backup) ? last : last + UNKNOWN_IDS
}

export interface Restored {
  /** Whether there was a store, whose files are in the folder `aside` now. */
  readonly hadStore: boolean
  /** The next id is greater. */
  readonly lastId: bigint
}

/**
 * Restores a sound backup to the folder. Its log is another one, and it gives out no id again. The files of the store that is there move
 * to the new folder `aside` in it. `Unavailable` if a process uses the store.
 */
export const restoreSqliteStore = (
  backup: string,
  directory: string,
  aside: string,
): TaskEither<Unavailable, Restored> =>
  tryCatch(async () => {
    await makeFolder(directory)
    // a folder that has lost its store may still hold its backups
    if (dirname(backup) !== directory) await checkForeign(directory)
    const path = join(directory, DATABASE)
    const draft = join(directory, '.restoring')
    const hadStore = await holdsStore(directory)
    const present = hadStore ? takeAlone(path) : undefined
    try {
      await rm(draft, { force: true })
      await copyTo(backup, draft)
      const last = using(draft, { readOnly: false }, (connection) => {
        const id = lastIdOf(connection, present)
        // positions in the log of the backup say nothing about what the restored store adds
        connection.run('UPDATE store SET last_id = ?, log_id = ?', id, randomUUID())
        return id
      })
      await syncToDisk(draft)
      if (hadStore) {
        await mkdir(aside, { mode: 0o700 })
        await giveToOwner(aside)
        // a start after a crash finds the former store or the restored one, and never none
        await link(path, join(aside, DATABASE))
        for (const file of filesOf(path).slice(1))
          if (statOf(file) !== undefined) await rename(file, join(aside, basename(file)))
        await syncToDisk(aside)
      }
      await rename(draft, path)
      await syncToDisk(directory)
      return { hadStore, lastId: last }
    } finally {
      present?.close()
      await rm(draft, { force: true })
    }
  }, unavailable)
