// Copies the embedded store at one instant, while other processes write to it, and puts a copy in the place of a store that no process
// uses.
import { statSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { DATA_FILE, LAST_BACKUP_FILE, LOCK_FILE } from './environment/data-file.js'
import { checkForeign, checkFormat, FORMAT_FILE, makeFolder, syncToDisk, unlessMissing } from './environment/folder.js'
import { enterFolder, whileIn } from './environment/pid-namespace.js'
import { COUNTER_KEY, lastDrawnId } from './tables/meta-table.js'
import { withRoot } from './tables/root.js'
import { fileLevels, LOG_ID_KEY, ORIGIN_KEY, openTables } from './tables/tables.js'

export interface Backup {
  /** The absolute path of the backup. */
  readonly path: string
  /** The size of its data file. */
  readonly bytes: number
}

export interface RecordedBackup extends Backup {
  /** Why the store does not know of the backup, so that its metrics still show the previous one. */
  readonly unrecorded: string | undefined
}

/** Gets how many bytes of about `total` are copied. */
export type Copied = (bytes: number, total: number) => void

/** Milliseconds between two looks at how much LMDB has copied, which it does not report itself. */
const LOOK_MS = 100

/** Copies used pages only. LMDB pauses writers only while it locates the latest commit. */
const copyData = (directory: string, copy: string, copied: Copied): Promise<void> =>
  whileIn(directory, () =>
    withRoot(directory, { readOnly: true }, async (root) => {
      const { fileBytes, freeBytes } = fileLevels(directory, openTables(root))
      const total = fileBytes - freeBytes
      const sizeOf = () => statSync(join(copy, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0
      copied(0, total)
      const looking = setInterval(() => copied(Math.min(sizeOf(), total), total), LOOK_MS)
      try {
        await root.backup(copy, true)
      } finally {
        clearInterval(looking)
      }
      copied(total, total)
    }),
  )

/** A store that is opened on the backup has another log: what it adds gets ids that the events of this one may have. */
const forgetLog = async (copy: string): Promise<void> => {
  await withRoot(copy, { readOnly: false }, (root) => {
    const { meta } = openTables(root)
    const log = meta.get(LOG_ID_KEY)
    if (log !== undefined) meta.putSync(ORIGIN_KEY, log)
    meta.removeSync(LOG_ID_KEY)
  })
  await rm(join(copy, LOCK_FILE))
}

/** Copies a store, which may be in use, to the new folder `path`; that is a store of its own. */
export const copyStore = async (directory: string, path: string, copied: Copied = () => {}): Promise<Backup> => {
  if (!(await checkFormat(directory))) throw new Error(`there is no store in ${directory}`)
  if ((await unlessMissing(lstat(path))) !== undefined) throw new Error(`${path} exists already`)
  const parent = dirname(path)
  if ((await unlessMissing(stat(parent))) === undefined) throw new Error(`the folder ${parent} does not exist`)
  // in the same folder as the backup, so that the last step is a rename: a backup under its name is always complete
  const draft = await mkdtemp(join(parent, `.${basename(path)}.unfinished-`))
  try {
    await copyData(directory, draft, copied)
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

/** A new file each time: one that another user has written, such as root, could not be written again. */
const recordBackup = async (directory: string): Promise<void> => {
  const path = join(directory, LAST_BACKUP_FILE)
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, '', { mode: 0o600 })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

const take = async (directory: string, path: string, copied?: Copied): Promise<RecordedBackup> => {
  const backup = await copyStore(directory, path, copied)
  const recorded = await TE.tryCatch(() => recordBackup(directory), E.toError)()
  return { ...backup, unrecorded: E.isLeft(recorded) ? recorded.left.message : undefined }
}

/**
 * Backs up the store to a new folder, which is itself a store. The backup contains everything that was acknowledged before
 * the call, and is synced to disk. Fails only as `Unavailable`, also if the path exists.
 */
export const backupLmdbStore = (
  directory: string,
  path: string,
  copied?: Copied,
): TE.TaskEither<Unavailable, RecordedBackup> => TE.tryCatch(() => take(directory, resolve(path), copied), unavailable)

export interface Identity {
  /** The log of the store, or that of the store that was copied; undefined for a backup of an older version. */
  readonly log: string | undefined
  /** The last id that was drawn, in decimal digits. */
  readonly lastId: string
}

/** Undefined if there is no store. **A damaged page may crash the process: run it in a separate one.** */
export const identify = async (directory: string): Promise<Identity | undefined> => {
  if (!(await checkFormat(directory))) return undefined
  return whileIn(directory, () =>
    withRoot(directory, { readOnly: true }, (root) => {
      const tables = openTables(root)
      const lastId = lastDrawnId(tables)
      if (E.isLeft(lastId)) throw new Error(lastId.left)
      const log = tables.meta.get(LOG_ID_KEY) ?? tables.meta.get(ORIGIN_KEY)
      return { log: log?.toString(), lastId: String(lastId.right) }
    }),
  )
}

/** Resolves to whether there was such a file. */
const moved = async (from: string, to: string): Promise<boolean> =>
  (await unlessMissing(rename(from, to).then(() => true))) === true

/** The folder may be a mount, so its files move and it stays. */
const restore = async (
  backup: string,
  directory: string,
  lastId: bigint,
  aside: string,
  copied?: Copied,
): Promise<boolean> => {
  await makeFolder(directory)
  // a folder that has lost its store may still hold its backups
  if (dirname(backup) !== directory) await checkForeign(directory)
  const leave = await enterFolder(directory, () => {}, { isAlone: true })
  const draft = join(directory, '.restoring')
  try {
    await rm(draft, { recursive: true, force: true })
    await copyStore(backup, draft, copied)
    await withRoot(draft, { readOnly: false }, (root) =>
      openTables(root).meta.putSync(COUNTER_KEY, Buffer.from(String(lastId))),
    )
    await syncToDisk(join(draft, DATA_FILE))
    await mkdir(aside, { mode: 0o700 })
    // its format file stays until the end: a start meanwhile, or after a crash, finds no data file and refuses to make a new store
    const format = join(aside, FORMAT_FILE)
    await unlessMissing(copyFile(join(directory, FORMAT_FILE), format).then(() => syncToDisk(format)))
    await moved(join(directory, LOCK_FILE), join(aside, LOCK_FILE))
    const hadStore = await moved(join(directory, DATA_FILE), join(aside, DATA_FILE))
    for (const file of [DATA_FILE, FORMAT_FILE]) await rename(join(draft, file), join(directory, file))
    for (const folder of [aside, directory]) await syncToDisk(folder)
    if (!hadStore) await rm(aside, { recursive: true })
    return hadStore
  } finally {
    await rm(draft, { recursive: true, force: true })
    await leave()
  }
}

/**
 * Restores a sound backup to the folder, whose next id is greater than `lastId`. The files of the store that is there move to the new
 * folder `aside` in it. Resolves to whether there was one. Fails if a process uses the folder.
 */
export const restoreLmdbStore = (
  backup: string,
  directory: string,
  lastId: bigint,
  aside: string,
  copied?: Copied,
): TE.TaskEither<Unavailable, boolean> =>
  TE.tryCatch(() => restore(backup, directory, lastId, aside, copied), unavailable)
