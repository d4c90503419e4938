// Looks at the data file before LMDB maps it: one that is none, cut short or damaged would end the process by a signal.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isMissing } from './missing-file.js'
import { checkPages } from './page-check.js'

// LMDB's data format 2 on a 64-bit machine: the first two pages are heads, of which the one with the later transaction holds
const MAGIC = 0xbeefc0de
const DATA_FORMAT = 2
const AT = { magic: 24, format: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, lastPage: 144, transaction: 152 }
const HEAD_BYTES = 160
/** Looks at a file into which another process writes, until one look falls between two of its commits. */
const LOOKS = 5

interface Head {
  readonly pageSize: number
  readonly transaction: bigint
  readonly lastPage: bigint
  readonly roots: readonly number[]
}

const readAt = (file: number, buffer: Buffer, position: number): Buffer => {
  if (readSync(file, buffer, 0, buffer.length, position) < buffer.length) throw new Error('its data file is cut short')
  return buffer
}

const headAt = (file: number, position: number): Head => {
  const page = readAt(file, Buffer.alloc(HEAD_BYTES), position)
  if (page.readUInt32LE(AT.magic) !== MAGIC) throw new Error('its data file is not one of LMDB, or its head is damaged')
  const format = page.readUInt32LE(AT.format)
  if (format !== DATA_FORMAT) throw new Error(`its data file has format ${format} of LMDB, not ${DATA_FORMAT}`)
  return {
    pageSize: page.readUInt32LE(AT.pageSize),
    transaction: page.readBigUInt64LE(AT.transaction),
    lastPage: page.readBigUInt64LE(AT.lastPage),
    roots: [AT.freeRoot, AT.mainRoot].map((at) => Number(page.readBigUInt64LE(at))),
  }
}

const latestHead = (file: number): Head => {
  const first = headAt(file, 0)
  const second = headAt(file, first.pageSize)
  return first.transaction > second.transaction ? first : second
}

const check = (file: number, { pageSize, lastPage, roots }: Head): void => {
  // the file may well end before its last page: one that a transaction takes and gives back is never written
  const count = Number(lastPage) + 1
  const buffer = Buffer.alloc(pageSize)
  checkPages({ count, read: (page) => readAt(file, buffer, page * pageSize) }, roots)
}

const checkOpen = (file: number, looks: number): void => {
  const head = latestHead(file)
  try {
    check(file, head)
  } catch (error) {
    // its pages are used again by the commits that follow: what we saw is nothing that ever was
    const isInFlux = latestHead(file).transaction !== head.transaction
    if (!isInFlux) throw error
    if (looks > 1) checkOpen(file, looks - 1)
  }
}

/** Throws the reason, if the data file cannot be opened; reads only. That of a new folder may be missing or empty. */
export const checkDataFile = (path: string, isInUse: boolean): void => {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const isEmpty = fstatSync(file).size === 0
    if (isEmpty && isInUse) throw new Error('its data file is gone')
    if (!isEmpty) checkOpen(file, LOOKS)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (isInUse) throw new Error('its data file is gone', { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
