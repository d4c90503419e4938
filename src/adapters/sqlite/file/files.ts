// The files of the embedded store. Those of the database are looked at without opening them: closing any descriptor of the database or of
// its `-shm` would drop this process's locks (sqlite.org/howtocorrupt.html, section 2.2).
import { statfsSync, statSync } from 'node:fs'
import { chown, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileLevels } from '../../../ports/observer.js'

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
