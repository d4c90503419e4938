// The data file: checked before LMDB maps it, because on a foreign or truncated file the binding would crash the process with SIGSEGV
// or SIGBUS; then watched while it is open. Damage within the file is not detected (ADR 5).
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Notify } from '../../../ports/notice.js'

export const DATA_FILE = 'data.mdb'
export const LOCK_FILE = 'lock.mdb'
/** Its time is that of the last backup, for the metrics. */
export const LAST_BACKUP_FILE = 'last-backup'

// LMDB's data format 2 on a 64-bit machine: the first two pages are headers, and the one with the later transaction is valid.
const MAGIC = 0xbeefc0de
const DATA_FORMAT = 2
const OFFSET = { magic: 24, format: 28, pageBytes: 48, freeRoot: 88, mainRoot: 136, lastPage: 144, transaction: 152 }
const HEAD_BYTES = 160
/** The root page of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n

/**
 * Bytes by which an intact file may end before its last page: a transaction that allocates pages at the end and frees them
 * again counts them without writing them. No group of ours can allocate and free a thousand pages.
 */
const UNWRITTEN_BYTES = 4_194_304

interface Head {
  readonly pageBytes: number
  readonly transaction: bigint
  /** The minimum length of the file: it contains both roots, which each commit rewrites, and nearly all of its pages. */
  readonly leastBytes: number
}

const headAt = (file: number, position: number): Head => {
  const head = Buffer.alloc(HEAD_BYTES)
  if (readSync(file, head, 0, HEAD_BYTES, position) < HEAD_BYTES) throw new Error('the data file is truncated')
  if (head.readUInt32LE(OFFSET.magic) !== MAGIC) throw new Error('the data file is not an LMDB file')
  const format = head.readUInt32LE(OFFSET.format)
  if (format !== DATA_FORMAT) throw new Error(`the data file has LMDB format ${format}, not ${DATA_FORMAT}`)
  const pageBytes = head.readUInt32LE(OFFSET.pageBytes)
  const endAt = (offset: number): number => {
    const page = head.readBigUInt64LE(offset)
    return page === NO_PAGE ? 0 : (Number(page) + 1) * pageBytes
  }
  return {
    pageBytes,
    transaction: head.readBigUInt64LE(OFFSET.transaction),
    leastBytes: Math.max(endAt(OFFSET.lastPage) - UNWRITTEN_BYTES, endAt(OFFSET.freeRoot), endAt(OFFSET.mainRoot)),
  }
}

/** Throws if the file is foreign, of another format or truncated; it must not be empty. Reads 320 bytes. */
export const checkDataFile = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    const first = headAt(file, 0)
    const second = headAt(file, first.pageBytes)
    const { leastBytes } = first.transaction > second.transaction ? first : second
    if (fstatSync(file).size < leastBytes) throw new Error('the data file is truncated')
  } finally {
    closeSync(file)
  }
}

/** Device and inode; undefined if there is no such file. The inode of an open file is not reused. */
const identityOf = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** Returns a check that throws unless the folder has the opened files: writes would be lost, or overwrite those of another process. */
export const watchFiles = (directory: string, notify: Notify): (() => void) => {
  const paths = [DATA_FILE, LOCK_FILE].map((name) => join(directory, name))
  const opened = new Map(paths.map((path) => [path, identityOf(path)]))
  let wasInPlace = true

  const faultOf = (path: string): string | undefined => {
    const found = identityOf(path)
    if (found === undefined) return `${path} is missing`
    return found === opened.get(path) ? undefined : `${path} is another file`
  }

  return () => {
    const [reason] = paths.flatMap((path) => faultOf(path) ?? [])
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
