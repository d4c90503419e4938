// Notices when the open files are no longer those in the folder: what is written to a deleted file is gone at the next start.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Notify } from '../../../ports/notice.js'

/** The lock file too: without it another process would write at the same time. */
const FILES = ['data.mdb', 'lock.mdb']

/** Device and inode; nothing if there is no such file. While a file is open, no other gets its inode. */
const identityOf = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** Throws while the folder does not hold the files that it holds now; reports once per change. Costs two calls of `stat`. */
export const watchFiles = (directory: string, notify: Notify): (() => void) => {
  const opened = FILES.map((name) => join(directory, name)).map((path) => ({ path, identity: identityOf(path) }))
  let wasInPlace = true

  const fault = (): string | undefined => {
    for (const { path, identity } of opened) {
      const found = identityOf(path)
      if (found === undefined) return `${path} is missing`
      if (found !== identity) return `${path} is another file`
    }
    return undefined
  }

  return () => {
    const reason = fault()
    const isInPlace = reason === undefined
    if (wasInPlace && !isInPlace) {
      const message = 'the data folder is not the one that was opened: writes are refused'
      notify({ level: 'error', message, details: { reason } })
    }
    if (!wasInPlace && isInPlace) notify({ level: 'info', message: 'the data folder is back', details: { directory } })
    wasInPlace = isInPlace
    if (!isInPlace) throw new Error(reason)
  }
}
