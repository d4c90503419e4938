// Copies the embedded store to one file, while other processes write to it.
import { randomUUID } from 'node:crypto'
import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import { using } from '../file/connection.js'
import { DATABASE, giveToOwner, LAST_BACKUP, statOf, syncToDisk } from '../file/files.js'
import { holdsStore } from '../file/folder.js'

export interface Backup {
  readonly bytes: number
  /** Why the store does not know of the backup, so that its metrics still show the previous one. */
  readonly unrecorded?: string
}

/** One compact file, as the store was at one instant. It holds a snapshot for as long as it takes, so the log of the store grows meanwhile. */
export const copyTo = async (source: string, path: string): Promise<void> => {
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
  const draft = join(directory, `.${LAST_BACKUP}-${randomUUID()}`)
  try {
    await writeFile(draft, '', { mode: 0o600 })
    await giveToOwner(draft)
    await rename(draft, join(directory, LAST_BACKUP))
  } finally {
    await rm(draft, { force: true })
  }
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
