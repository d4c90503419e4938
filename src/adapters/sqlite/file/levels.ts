// What the metrics say of the files of a store.
import { statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileLevels } from '../../../ports/observer.js'
import type { Connection } from './connection.js'
import { LAST_BACKUP, statOf } from './folder.js'

/** How large the store is, and how much larger it may get. Throws if the folder is gone. */
export const fileLevels = (path: string, { pragma }: Connection): FileLevels => {
  const { bavail, blocks, bsize } = statfsSync(dirname(path))
  return {
    _tag: 'File',
    fileBytes: statSync(path).size,
    logBytes: statOf(`${path}-wal`)?.size ?? 0,
    freeBytes: Number(pragma('freelist_count') * pragma('page_size')),
    diskBytes: blocks * bsize,
    diskAvailableBytes: bavail * bsize,
    lastBackupMs: statOf(join(dirname(path), LAST_BACKUP))?.mtimeMs ?? 0,
  }
}
