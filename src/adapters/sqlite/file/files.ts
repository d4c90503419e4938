// The three files of a database, looked at without opening them: closing any descriptor of the database or of its `-shm` would drop this
// process's locks (sqlite.org/howtocorrupt.html, section 2.2).
import { statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileLevels } from '../../../ports/store-observer.js'
import type { Connection } from './connection.js'

export const DATABASE = 'animal-store.db'

/** Its time is that of the last backup, for the metrics. */
export const LAST_BACKUP = 'last-backup'

export const filesOf = (path: string): readonly string[] => [path, `${path}-wal`, `${path}-shm`]

/** Bytes of a file; undefined if there is none. */
export const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

/** Device and inode of each file. The inode of an open file is not reused. */
export type Identity = readonly (string | undefined)[]

export const identify = (path: string): Identity =>
  filesOf(path).map((file) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  })

/** Why writes would be lost, or read by nobody: a file of the database is not the one that was opened. */
export const faultOf = (path: string, opened: Identity): string | undefined => {
  const found = identify(path)
  const at = found.findIndex((identity, place) => identity !== opened[place])
  if (at === -1) return undefined
  return `${filesOf(path)[at]} ${found[at] === undefined ? 'is missing' : 'is another file'}`
}

/** How large the store is, and how much larger it may get. Throws if the folder is gone. */
export const fileLevels = (path: string, connection: Pick<Connection, 'pragma'>): FileLevels => {
  const { bavail, blocks, bsize } = statfsSync(dirname(path))
  const lastBackup = statSync(join(dirname(path), LAST_BACKUP), { throwIfNoEntry: false })
  return {
    _tag: 'File',
    fileBytes: statSync(path).size,
    logBytes: sizeOf(`${path}-wal`) ?? 0,
    freeBytes: Number(connection.pragma('freelist_count')) * Number(connection.pragma('page_size')),
    diskBytes: blocks * bsize,
    diskAvailableBytes: bavail * bsize,
    lastBackupMs: lastBackup?.mtimeMs ?? 0,
  }
}
