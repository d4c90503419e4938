// Copies the embedded store to one file, while other processes write to it, and puts such a file in the place of a store that no process
// uses.
import { randomUUID } from 'node:crypto'
import { chmod, link, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import { type Connection, connect, isBusy, opening } from '../file/connection.js'
import { DATABASE, filesOf, LAST_BACKUP } from '../file/files.js'
import { checkForeign, giveToOwner, holdsStore, makeFolder, syncToDisk, unlessMissing } from '../file/folder.js'
import { hasSchema } from '../file/schema.js'
import { highestId, lastId } from '../records.js'

export interface Backup {
  /** The absolute path of the backup. */
  readonly path: string
  /** Its size. */
  readonly bytes: number
}

export interface RecordedBackup extends Backup {
  /** Why the store does not know of the backup, so that its metrics still show the previous one. */
  readonly unrecorded: string | undefined
}

const using = async <A>(
  path: string,
  options: { readonly readOnly: boolean },
  work: (connection: Connection) => A | Promise<A>,
): Promise<A> => {
  const connection = opening(() => connect(path, options))
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}

/** One compact file, as the store was at one instant. It holds a snapshot for as long as it takes, so the log of the store grows meanwhile. */
const copyTo = async (connection: Connection, path: string): Promise<void> => {
  try {
    connection.run('VACUUM INTO ?', path)
  } finally {
    // if the disk is full, it stays
    await rm(`${path}-journal`, { force: true })
  }
  await chmod(path, 0o600)
  await giveToOwner(path)
}

const take = async (directory: string, path: string): Promise<Backup> => {
  if (!(await holdsStore(directory))) throw new Error(`there is no store in ${directory}`)
  if ((await unlessMissing(lstat(path))) !== undefined) throw new Error(`${path} exists already`)
  const parent = dirname(path)
  if ((await unlessMissing(stat(parent))) === undefined) throw new Error(`the folder ${parent} does not exist`)
  // in the same folder as the backup, so that the last step is a rename: a backup under its name is always complete
  const draft = join(parent, `.${basename(path)}.unfinished-${randomUUID()}`)
  try {
    await using(join(directory, DATABASE), { readOnly: true }, (connection) => copyTo(connection, draft))
    await syncToDisk(draft)
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncToDisk(parent)
    return { path, bytes: size }
  } finally {
    await rm(draft, { force: true })
  }
}

/** A new file each time: one that another user has written, such as root, could not be written again. */
const record = async (directory: string): Promise<void> => {
  const path = join(directory, LAST_BACKUP)
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, '', { mode: 0o600 })
    await giveToOwner(draft)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

const takeAndRecord = async (directory: string, path: string): Promise<RecordedBackup> => {
  const backup = await take(directory, path)
  const recorded = await TE.tryCatch(() => record(directory), asError)()
  return { ...backup, unrecorded: E.isLeft(recorded) ? recorded.left.message : undefined }
}

/**
 * Backs up the store to a new file. It contains everything that was acknowledged before the call, and is synced to disk. Blocks the event
 * loop: run it in a process of its own. Fails only as `Unavailable`, also if the path exists.
 */
export const backupSqliteStore = (directory: string, path: string): TE.TaskEither<Unavailable, RecordedBackup> =>
  TE.tryCatch(() => takeAndRecord(directory, resolve(path)), unavailable)

/** Ids to skip if the store that was backed up cannot tell which it has given out: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

const IN_USE = 'a process is using the store: stop it first'

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
    if (isBusy(error)) throw new Error(IN_USE, { cause: error })
    return undefined
  }
}

/** The last id that neither store may give out again. The present one knows all ids if it has what the backup has. */
const lastIdOf = (backup: Connection, present: Connection | undefined): bigint => {
  const ids = [backup, ...(present === undefined ? [] : [present])].map(lastId)
  const known = ids.reduce((most, id) => (id > most ? id : most))
  const eventOf = (connection: Connection | undefined) =>
    connection?.first('SELECT event_id FROM pets WHERE id = ?', highestId(backup))?.[0]
  const isContinued = present !== undefined && eventOf(present) === eventOf(backup)
  return isContinued ? known : known + UNKNOWN_IDS
}

export interface Restored {
  /** Whether there was a store, whose files are in the folder `aside` now. */
  readonly hadStore: boolean
  /** The next id is greater. */
  readonly lastId: bigint
}

const restore = async (backup: string, directory: string, aside: string): Promise<Restored> => {
  await makeFolder(directory)
  // a folder that has lost its store may still hold its backups
  if (dirname(backup) !== directory) await checkForeign(directory)
  const path = join(directory, DATABASE)
  const draft = join(directory, '.restoring')
  const hadStore = await holdsStore(directory)
  const present = hadStore ? takeAlone(path) : undefined
  try {
    await rm(draft, { force: true })
    const last = await using(backup, { readOnly: true }, async (connection) => {
      await copyTo(connection, draft)
      return lastIdOf(connection, present)
    })
    // positions in the log of the backup say nothing about what the restored store adds
    await using(draft, { readOnly: false }, ({ run }) =>
      run('UPDATE store SET last_id = ?, log_id = ?', last, randomUUID()),
    )
    await syncToDisk(draft)
    if (hadStore) {
      await mkdir(aside, { mode: 0o700 })
      await giveToOwner(aside)
      // a start after a crash finds the former store or the restored one, and never none
      await link(path, join(aside, DATABASE))
      for (const file of filesOf(path).slice(1)) await unlessMissing(rename(file, join(aside, basename(file))))
      await syncToDisk(aside)
    }
    await rename(draft, path)
    await syncToDisk(directory)
    return { hadStore, lastId: last }
  } finally {
    present?.close()
    await rm(draft, { force: true })
  }
}

/**
 * Restores a sound backup to the folder. Its log is another one, and it gives out no id again. The files of the store that is there move
 * to the new folder `aside` in it. `Unavailable` if a process uses the store.
 */
export const restoreSqliteStore = (
  backup: string,
  directory: string,
  aside: string,
): TE.TaskEither<Unavailable, Restored> => TE.tryCatch(() => restore(backup, directory, aside), unavailable)
