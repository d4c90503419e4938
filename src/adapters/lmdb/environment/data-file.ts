// Checks the heads of the data file before LMDB maps it: over a foreign or truncated file the binding ends the process by a
// signal, SIGSEGV or SIGBUS, without a word. Damage within the file is not looked for (ADR 5).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// LMDB's data format 2 on a 64-bit machine: the first two pages are heads, and the one with the later transaction counts.
const MAGIC = 0xbeefc0de
const DATA_FORMAT = 2
const OFFSET = { magic: 24, format: 28, pageBytes: 48, freeRoot: 88, mainRoot: 136, lastPage: 144, transaction: 152 }
const HEAD_BYTES = 160
/** Stands for the root page of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n

/**
 * Bytes by which a sound file may end before its last page: a transaction that takes pages at the end and gives them back
 * counts them and never writes them. A thousand pages is more than one of our groups can take and give back.
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
  if (head.readUInt32LE(OFFSET.magic) !== MAGIC) throw new Error('the data file is not one of LMDB')
  const format = head.readUInt32LE(OFFSET.format)
  if (format !== DATA_FORMAT) throw new Error(`the data file has format ${format} of LMDB, not ${DATA_FORMAT}`)
  return {
    pageBytes: head.readUInt32LE(OFFSET.pageBytes),
    transaction: head.readBigUInt64LE(OFFSET.transaction),
    lastPage: head.readBigUInt64LE(OFFSET.lastPage),
    rootPages: [OFFSET.freeRoot, OFFSET.mainRoot].map((at) => head.readBigUInt64LE(at)),
  }
}

/** The least length of the file: it holds both roots, which each commit writes anew, and nearly all of its pages. */
const leastBytes = ({ pageBytes, lastPage, rootPages }: Head): number => {
  const endOf = (page: bigint): number => (Number(page) + 1) * pageBytes
  return Math.max(endOf(lastPage) - UNWRITTEN_BYTES, ...rootPages.filter((page) => page !== NO_PAGE).map(endOf))
}

/** Throws if the file, which is not empty, is foreign, of another format or truncated. It reads 320 bytes. */
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
