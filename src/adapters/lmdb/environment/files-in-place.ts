// Detects that the open files are no longer in the folder. Data written to a deleted file would be lost at the next start.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Notify } from '../../../ports/notice.js'

/** Includes the lock file: without it, another process would write at the same time. */
const FILES = ['data.mdb', 'lock.mdb']

/** Device and inode; undefined if there is no such file. The inode of an open file is not reused. */
const identityOf = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** The check throws unless the folder still has the present files. It reports each change once, and costs two `stat` calls. */
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
