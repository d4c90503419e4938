// Checks the headers of the data file before LMDB maps it. On a foreign or truncated file the binding would crash the process
// with SIGSEGV or SIGBUS. Damage within the file is not detected (ADR 5).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

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
  readonly lastPage: bigint
  readonly rootPages: readonly bigint[]
}

const headAt = (file: number, position: number): Head => {
  const head = Buffer.alloc(HEAD_BYTES)
  if (readSync(file, head, 0, HEAD_BYTES, position) < HEAD_BYTES) throw new Error('the data file is truncated')
  if (head.readUInt32LE(OFFSET.magic) !== MAGIC) throw new Error('the data file is not an LMDB file')
  const format = head.readUInt32LE(OFFSET.format)
  if (format !== DATA_FORMAT) throw new Error(`the data file has LMDB format ${format}, not ${DATA_FORMAT}`)
  return {
    pageBytes: head.readUInt32LE(OFFSET.pageBytes),
    transaction: head.readBigUInt64LE(OFFSET.transaction),
    lastPage: head.readBigUInt64LE(OFFSET.lastPage),
    rootPages: [OFFSET.freeRoot, OFFSET.mainRoot].map((at) => head.readBigUInt64LE(at)),
  }
}

/** The minimum length of the file: it contains both roots, which each commit rewrites, and nearly all of its pages. */
const leastBytes = ({ pageBytes, lastPage, rootPages }: Head): number => {
  const endOf = (page: bigint): number => (Number(page) + 1) * pageBytes
  return Math.max(endOf(lastPage) - UNWRITTEN_BYTES, ...rootPages.filter((page) => page !== NO_PAGE).map(endOf))
}

/** Throws if the file is foreign, of another format or truncated; it must not be empty. Reads 320 bytes. */
export const checkDataFile = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    const first = headAt(file, 0)
    const second = headAt(file, first.pageBytes)
    const latest = first.transaction > second.transaction ? first : second
    if (fstatSync(file).size < leastBytes(latest)) throw new Error('the data file is truncated')
  } finally {
    closeSync(file)
  }
}
