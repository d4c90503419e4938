// The folder of the embedded store and its files. Those of the database are looked at without opening them: closing any descriptor of the
// database or of its `-shm` would drop this process's locks (sqlite.org/howtocorrupt.html, section 2.2).
import { constants, statfsSync, statSync } from 'node:fs'
import { access, chown, mkdir, open, readdir, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { asError, memberOf } from '../../../domain/thrown.js'
import type { FileLevels } from '../../../ports/observer.js'
import { checkFileSystem } from './file-system.js'

export const DATABASE = 'animal-store.db'

/** The database of an earlier version, which was never published. */
const FORMER = 'data.mdb'

/** Its time is that of the last backup, for the metrics. */
export const LAST_BACKUP = 'last-backup'

export const filesOf = (path: string) => [path, `${path}-wal`, `${path}-shm`] as const

export const statOf = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Device and inode of each file. The inode of an open file is not reused. */
export const identify = (path: string): readonly (string | undefined)[] =>
  filesOf(path).map((file) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  })

/** Throws if writes would be lost, or read by nobody: a file of the database is not the one that was opened. */
export const checkFiles = (path: string, opened: ReturnType<typeof identify>): void => {
  const found = identify(path)
  const at = found.findIndex((identity, place) => identity !== opened[place])
  if (at !== -1) throw new Error(`${filesOf(path)[at]} ${found[at] === undefined ? 'is missing' : 'is another file'}`)
}

/** For the metrics: how large the store is, and how much larger it may get. Throws if the folder is gone. */
export const fileLevels = (path: string, freeBytes: number): FileLevels => {
  const { bavail, blocks, bsize } = statfsSync(dirname(path))
  return {
    _tag: 'File',
    fileBytes: statSync(path).size,
    logBytes: statOf(`${path}-wal`)?.size ?? 0,
    freeBytes,
    diskBytes: blocks * bsize,
    diskAvailableBytes: bavail * bsize,
    lastBackupMs: statOf(join(dirname(path), LAST_BACKUP))?.mtimeMs ?? 0,
  }
}

/** Syncs a file, or the names of the files in a folder, which are data of the folder. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What root creates belongs to the owner of its folder, whose service must be able to open it. */
export const giveToOwner = async (path: string): Promise<void> => {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

/** If that cannot be determined, opening the store reports the reason. */
const isFilled = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    (error: unknown) => memberOf(error, 'code') !== 'ENOENT',
  )

/** Whether the folder contains a store. */
export const holdsStore = (directory: string): Promise<boolean> => isFilled(join(directory, DATABASE))

/** Whether it contains a store, or what an opening refuses: a log without its database, or a store of an earlier version. */
export const holdsTraces = async (directory: string): Promise<boolean> => {
  const traces = [DATABASE, `${DATABASE}-wal`, FORMER]
  return (await Promise.all(traces.map((name) => isFilled(join(directory, name))))).includes(true)
}

/**
 * Creates the folder and its parents, accessible only to this user, and syncs their names: without them a store is lost. Does not use
 * the `recursive` option of mkdir: if the system returns ENOENT although the parent exists, as below /proc, Node 20 retries forever.
 */
export const makeFolder = async (directory: string): Promise<void> => {
  const isThere = () => statOf(directory)?.isDirectory() === true
  if (isThere()) return
  const parent = dirname(directory)
  await makeFolder(parent)
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    // another process may have created it first
    if (!isThere()) throw error
  })
  await syncToDisk(parent)
}

/** What every folder may have, such as that of a new file system; and what another process of ours may have made. */
const OURS = /^(?:\.|lost\+found$|animal-store\.db|last-backup$|replaced-)/

/** A mistyped DATA_DIR must not put a store among the files of another program. */
export const checkForeign = async (directory: string): Promise<void> => {
  const names = await readdir(directory)
  const former = `it holds a store of an earlier, unpublished version (${FORMER})`
  if (names.includes(FORMER)) throw new Error(`${former}: export it with that version and import it in a new folder`)
  if (names.some((name) => !OURS.test(name)))
    throw new Error('it holds other files and no store: name a new or an empty folder')
}

/** The path of the database, which is created if it is missing. Rejects with the reason if the folder cannot be used. */
export const prepareFolder = async (directory: string): Promise<string> => {
  await makeFolder(directory)
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  checkFileSystem((await statfs(directory)).type)
  const path = join(directory, DATABASE)
  if (!(await holdsStore(directory))) {
    await checkForeign(directory)
    const [, log] = filesOf(path)
    // SQLite would throw the log away, and with it acknowledged writes
    if (statOf(log)?.size) throw new Error(`${path} is missing or empty, and ${log} is not: restore a backup`)
    await writeFile(path, '', { flag: 'a', mode: 0o600 })
    await giveToOwner(path)
    await syncToDisk(directory)
  }
  await access(path, constants.R_OK | constants.W_OK)
  return path
}

/** What is in the way: the path, or the nearest folder above it that can be looked at. */
const ownerOf = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return ownerOf(dirname(path))
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  return `${path}, which belongs to user ${found.uid} and group ${found.gid} with mode ${mode}`
}

/** The message of the error; if access was denied, with the user and the owner. */
export const explain = async (error: unknown): Promise<string> => {
  const path = memberOf(error, 'path')
  if (memberOf(error, 'code') !== 'EACCES' || typeof path !== 'string') return asError(error).message
  const user = `user ${process.geteuid?.()} of group ${process.getegid?.()}`
  return `EACCES: ${user} has no access to ${await ownerOf(resolve(path))}`
}
