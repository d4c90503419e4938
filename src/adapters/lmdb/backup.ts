// A copy of the embedded store at one instant, taken beside the processes that write to it.
import { chmod, copyFile, lstat, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { checkFormat, DATA_FILE, FORMAT_FILE, syncToDisk, unlessMissing } from './environment/folder.js'
import { openRoot } from './environment/root.js'

export interface Backup {
  /** Where it is: an absolute path. */
  readonly path: string
  /** The size of its data file. */
  readonly bytes: number
}

/** Copies the data that is in use, without free pages: LMDB pauses writers only while it notes where the latest commit is. */
const copyData = async (directory: string, copy: string): Promise<void> => {
  const root = openRoot(directory, { readOnly: true })
  try {
    await root.backup(copy, true)
  } finally {
    await root.close()
  }
}

const take = async (directory: string, path: string): Promise<Backup> => {
  if (!(await checkFormat(directory))) throw new Error(`there is no store in ${directory}`)
  if ((await unlessMissing(lstat(path))) !== undefined) throw new Error(`${path} exists already`)
  // beside the backup, so that the last step is a rename: whatever has the name of the backup is whole
  const draft = await mkdtemp(join(dirname(path), `.${basename(path)}.unfinished-`))
  try {
    await copyData(directory, draft)
    const dataFile = join(draft, DATA_FILE)
    // LMDB makes it readable for all, in a folder that is open to its owner alone
    await chmod(dataFile, 0o600)
    await copyFile(join(directory, FORMAT_FILE), join(draft, FORMAT_FILE))
    for (const written of [dataFile, join(draft, FORMAT_FILE), draft]) await syncToDisk(written)
    const { size } = await stat(dataFile)
    await rename(draft, path)
    await syncToDisk(dirname(path))
    return { path, bytes: size }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/**
 * Backs up the store in the folder to a new folder, which is a store itself. The backup holds all that was acknowledged
 * before the call, and is synced to disk. A path that exists is `Unavailable`, and so is any other reason why there is no backup.
 *
 * @example
 * await backupLmdbStore('./pets', './pets-2026-11-22')() // => E.right({ path: '…/pets-2026-11-22', bytes: 57344 })
 */
export const backupLmdbStore = (directory: string, path: string): TE.TaskEither<Unavailable, Backup> =>
  TE.tryCatch(() => take(directory, resolve(path)), unavailable)
