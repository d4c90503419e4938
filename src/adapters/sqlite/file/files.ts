// The files of the embedded store. Never open the database or its `-shm` here: closing a descriptor of them would drop
// the locks of this process (sqlite.org/howtocorrupt.html, section 2.2).
import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileLevels } from '../../../ports/observer.js'

/** A file whose modification time is that of the last backup, for the metrics. */
export const LAST_BACKUP = 'last-backup'

/** The database, its log and the index of that log. */
export const filesOf = (path: string) => [path, `${path}-wal`, `${path}-shm`] as const

/** Never part of a store, whose database is always in WAL mode: SQLite would play it into whatever database it finds. */
export const journalOf = (path: string): string => `${path}-journal`

export const statOf = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Device and inode of each file. The inode of an open file is not reused. */
export const identify = (path: string): readonly (string | undefined)[] =>
  filesOf(path).map((file) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  })

/** Throws if a file of the database was removed or replaced: nobody would find what is written to the opened one. */
export const checkFiles = (path: string, opened: ReturnType<typeof identify>): void => {
  const found = identify(path)
  const at = found.findIndex((identity, place) => identity !== opened[place])
  if (at !== -1) throw new Error(`${filesOf(path)[at]} ${found[at] === undefined ? 'is missing' : 'is another file'}`)
}

/** Sizes of the store and free disk space, for the metrics. Throws if the folder is gone. */
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

/** Syncs a file, or a folder, whose data are the names of its files. */
export const syncToDisk = (path: string): void => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
