// Looks at the data file before LMDB maps it: a file that is none, or cut short, would end the process by a signal.
import { type FileHandle, open } from 'node:fs/promises'
import { unlessMissing } from './missing-file.js'

// the layout of LMDB's data format 2 on a 64-bit machine: a page header of 24 bytes, in the first two pages a meta record
const MAGIC = 0xbeefc0de
const DATA_FORMAT = 2
const BRANCH_OR_LEAF = 0x03
const AT = { flags: 18, magic: 24, format: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, lastPage: 144, txn: 152 }
const HEADER_BYTES = 160
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n

interface Meta {
  readonly pageSize: number
  readonly txn: bigint
  readonly lastPage: bigint
  readonly roots: readonly bigint[]
}

const readAt = async (file: FileHandle, position: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, position)
  if (bytesRead < HEADER_BYTES) throw new Error('its data file is cut short')
  return buffer
}

const metaAt = async (file: FileHandle, position: number): Promise<Meta> => {
  const page = await readAt(file, position)
  if (page.readUInt32LE(AT.magic) !== MAGIC) throw new Error('its data file is not one of LMDB, or its head is damaged')
  const format = page.readUInt32LE(AT.format)
  if (format !== DATA_FORMAT) throw new Error(`its data file has format ${format} of LMDB, not ${DATA_FORMAT}`)
  return {
    pageSize: page.readUInt32LE(AT.pageSize),
    txn: page.readBigUInt64LE(AT.txn),
    lastPage: page.readBigUInt64LE(AT.lastPage),
    roots: [page.readBigUInt64LE(AT.freeRoot), page.readBigUInt64LE(AT.mainRoot)],
  }
}

const checkRoot = async (file: FileHandle, pageSize: number, root: bigint): Promise<void> => {
  if (root === NO_PAGE) return
  const page = await readAt(file, Number(root) * pageSize)
  if (page.readBigUInt64LE(0) !== root || (page.readUInt16LE(AT.flags) & BRANCH_OR_LEAF) === 0) {
    throw new Error(`page ${root} of its data file is damaged`)
  }
}

const check = async (file: FileHandle, size: number): Promise<void> => {
  const first = await metaAt(file, 0)
  const second = await metaAt(file, first.pageSize)
  const { lastPage, pageSize, roots } = first.txn > second.txn ? first : second
  if (BigInt(size) < (lastPage + 1n) * BigInt(pageSize)) throw new Error('its data file is cut short')
  for (const root of roots) await checkRoot(file, pageSize, root)
}

/** Rejects with the reason, if the data file cannot be opened; reads only. A new folder's may be missing or empty. */
export const checkDataFile = async (path: string, isInUse: boolean): Promise<void> => {
  const file = await unlessMissing(open(path, 'r'))
  try {
    const size = (await file?.stat())?.size ?? 0
    if (isInUse && size === 0) throw new Error('its data file is gone')
    // another process may commit while we look, so that one look may see two states
    if (file !== undefined && size > 0) await check(file, size).catch(async () => check(file, (await file.stat()).size))
  } finally {
    await file?.close()
  }
}
