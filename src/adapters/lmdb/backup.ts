// Copies the embedded store at one instant, while other processes write to it.
import { chmod, copyFile, lstat, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { DATA_FILE, LAST_BACKUP_FILE, LOCK_FILE } from './environment/data-file.js'
import { checkFormat, FORMAT_FILE, syncToDisk, unlessMissing } from './environment/folder.js'
import { enterFolder } from './environment/pid-namespace.js'
import { LOG_ID_KEY, ORIGIN_KEY, openRoot, openTables } from './tables/tables.js'

export interface Backup {
  /** The absolute path of the backup. */
  readonly path: string
  /** The size of its data file. */
  readonly bytes: number
}

/** Copies used pages only. LMDB pauses writers only while it locates the latest commit. */
const copyData = async (directory: string, copy: string): Promise<void> => {
  const leave = await enterFolder(directory, () => {})
  try {
    const root = openRoot(directory, { readOnly: true })
    await root.backup(copy, true).finally(() => root.close())
  } finally {
    await leave()
  }
}

/** A store that is opened on the backup has another log: what it adds gets ids that the events of this one may have. */
const forgetLog = async (copy: string): Promise<void> => {
  const root = openRoot(copy, { readOnly: false })
  try {
    const { meta } = openTables(root)
    const log = meta.get(LOG_ID_KEY)
    if (log !== undefined) meta.putSync(ORIGIN_KEY, log)
    meta.removeSync(LOG_ID_KEY)
  } finally {
    await root.close()
  }
  await rm(join(copy, LOCK_FILE))
}

/** Copies a store, which may be in use, to the new folder `path`; that is a store of its own. */
export const copyStore = async (directory: string, path: string): Promise<Backup> => {
  if (!(await checkFormat(directory))) throw new Error(`there is no store in ${directory}`)
  if ((await unlessMissing(lstat(path))) !== undefined) throw new Error(`${path} exists already`)
  const parent = dirname(path)
  if ((await unlessMissing(stat(parent))) === undefined) throw new Error(`the folder ${parent} does not exist`)
  // in the same folder as the backup, so that the last step is a rename: a backup under its name is always complete
  const draft = await mkdtemp(join(parent, `.${basename(path)}.unfinished-`))
  try {
    await copyData(directory, draft)
    const dataFile = join(draft, DATA_FILE)
    // LMDB makes it world-readable; the folder is private
    await chmod(dataFile, 0o600)
    await forgetLog(draft)
    await copyFile(join(directory, FORMAT_FILE), join(draft, FORMAT_FILE))
    for (const written of [dataFile, join(draft, FORMAT_FILE), draft]) await syncToDisk(written)
    const { size } = await stat(dataFile)
    await rename(draft, path)
    await syncToDisk(parent)
    return { path, bytes: size }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const take = async (directory: string, path: string): Promise<Backup> => {
  const backup = await copyStore(directory, path)
  // in a folder that this user may only read, the metrics miss this backup: a false alarm is better than none
  await writeFile(join(directory, LAST_BACKUP_FILE), '', { mode: 0o600 }).catch(() => {})
  return backup
}

/**
 * Backs up the store to a new folder, which is itself a store. The backup contains everything that was acknowledged before
 * the call, and is synced to disk. Fails only as `Unavailable`, also if the path exists.
 *
 * @example
 * await backupLmdbStore('./pets', './pets-2026-11-22')() // => E.right({ path: '…/pets-2026-11-22', bytes: 57344 })
 */
export const backupLmdbStore = (directory: string, path: string): TE.TaskEither<Unavailable, Backup> =>
  TE.tryCatch(() => take(directory, resolve(path)), unavailable)
