// How large the store is, and how much larger it may get.
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreLevels } from '../../../ports/store-observer.js'
import { DATA_FILE } from './folder.js'

/** Reads the sizes. Throws if the folder is gone. */
export const fileLevels = (directory: string) => (): StoreLevels => {
  const { bavail, bsize } = statfsSync(directory)
  return { _tag: 'File', fileBytes: statSync(join(directory, DATA_FILE)).size, diskAvailableBytes: bavail * bsize }
}
