// How large the store is, and how much larger it may get.
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FileLevels } from '../../../ports/store-observer.js'
import { pagesOf, statisticsOf, type Tables } from '../tables/tables.js'
import { DATA_FILE, LAST_BACKUP_FILE } from './folder.js'

/** Reads the sizes, at a cost that does not depend on them. Throws if the folder is gone. */
export const fileLevels =
  (directory: string, { byStatus, ...tables }: Tables) =>
  (): FileLevels => {
    const { bavail, blocks, bsize } = statfsSync(directory)
    const { pageSize, lastPageNumber, root, free } = statisticsOf(tables.meta)
    const trees = [root, free, ...[...Object.values(tables), ...Object.values(byStatus)].map(statisticsOf)]
    // two pages are headers
    const usedPages = trees.reduce((sum, tree) => sum + pagesOf(tree), 2)
    return {
      _tag: 'File',
      fileBytes: statSync(join(directory, DATA_FILE)).size,
      freeBytes: (lastPageNumber + 1 - usedPages) * pageSize,
      diskBytes: blocks * bsize,
      diskAvailableBytes: bavail * bsize,
      lastBackupMs: statSync(join(directory, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }
  }
