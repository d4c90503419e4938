// The folder of the embedded store: created if it is missing, and refused without a change if this version cannot use it.
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Notify } from '../../../ports/notice.js'
import { checkDataFile, DATA_FILE, LOCK_FILE } from './data-file.js'

/** The format that this version writes, and the newest one that it reads. */
const FORMAT = 1
export const FORMAT_FILE = 'format'
const FORMAT_TEXT = /^animal-store ([1-9]\d*)\n$/

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Undefined if the file or folder is missing. */
export const unlessMissing = async <A>(look: Promise<A>): Promise<A | undefined> => {
  try {
    return await look
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Whether the folder contains a store. If that cannot be determined, opening the store reports the reason. */
export const holdsStore = (directory: string): Promise<boolean> =>
  access(join(directory, FORMAT_FILE)).then(
    () => true,
    (error: unknown) => !isMissing(error),
  )

const isFolder = async (path: string): Promise<boolean> => (await unlessMissing(stat(path)))?.isDirectory() === true

/** Syncs a file, or the names of the files in a folder, which are data of the folder. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Creates the folder and its parents, accessible only to this user, and syncs their names: without them a store is lost. Does not use
 * the `recursive` option of mkdir: if the system returns ENOENT although the parent exists, as below /proc, Node 20 retries forever.
 */
export const makeFolder = async (directory: string): Promise<void> => {
  if (await isFolder(directory)) return
  const parent = dirname(directory)
  await makeFolder(parent)
  await mkdir(directory, { mode: 0o700 }).catch(async (error: unknown) => {
    // another process may have created it first
    if (!(await isFolder(directory))) throw error
  })
  await syncToDisk(parent)
}

const checkAccess = async (directory: string): Promise<void> => {
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const file of [DATA_FILE, LOCK_FILE]) {
    await unlessMissing(access(join(directory, file), constants.R_OK | constants.W_OK))
  }
}

export const checkFormat = async (directory: string): Promise<boolean> => {
  const text = await unlessMissing(readFile(join(directory, FORMAT_FILE), 'utf8'))
  if (text === undefined) return false
  const format = FORMAT_TEXT.exec(text)?.[1]
  if (format === undefined) throw new Error(`its file ${FORMAT_FILE} is damaged`)
  if (Number(format) > FORMAT) {
    throw new Error(`it was written by a newer version, in format ${format}; this version knows format ${FORMAT}`)
  }
  return true
}

/** Space for the files of a new store. LMDB crashes the process if it cannot create them. */
const NEW_STORE_BYTES = 262_144

export const checkSpace = async (directory: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < NEW_STORE_BYTES) throw new Error('no space is left on the disk of the data folder')
}

/** File systems on another machine, where LMDB's locks and memory maps do not hold, by the types that Linux gives them (statfs(2)). */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0xc36400, 'Ceph'],
  [0xbd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
])

/** May be local or on another machine; the type does not say which. */
const DOUBTFUL: ReadonlyMap<number, string> = new Map([
  [0x65735546, 'FUSE'],
  [0x1021997, '9P'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
])

/** Throws on a network file system, and warns of one that may be. Only the types of Linux are known. */
export const checkFileSystem = (
  type: number,
  directory: string,
  notify: Notify,
  platform: NodeJS.Platform = process.platform,
): void => {
  if (platform !== 'linux') return
  // on some machines the number is signed
  const [network, doubtful] = [NETWORK.get(type >>> 0), DOUBTFUL.get(type >>> 0)]
  if (network !== undefined) {
    const reason = `it is on ${network}, a network file system, on which LMDB may lose data`
    throw new Error(`${reason}; use a local disk, or MongoDB`)
  }
  if (doubtful === undefined) return
  const message = `the data folder is on ${doubtful}: if its files are on another machine, LMDB may lose data`
  notify({ level: 'warn', message, details: { directory } })
}

const typeOf = async (directory: string): Promise<number> => (await statfs(directory)).type

export interface FolderSettings {
  /** Created with mode 0700 if it is missing. */
  readonly directory: string
  /**
   * Whether to refuse a foreign or truncated data file with a message. Without the check, LMDB crashes the process. Set it in
   * the process that starts first; a process beside a running one needs no check.
   */
  readonly checksDataFile: boolean
  /** Receives one notice when the open folder is deleted or replaced (all writes are then refused), and one when it is back. */
  readonly notify: Notify
}

/** What another process of ours may have made. */
const OUR_FILES = /^(?:data\.mdb$|lock\.mdb$|format\b|process-|last-backup\b|replaced-)/
/** What every folder may have, such as that of a new file system. */
const ANYWHERE = /^(?:\.|lost\+found$)/

/** A mistyped DATA_DIR must not put a store among the files of another program. */
export const checkForeign = async (directory: string): Promise<void> => {
  const names = (await readdir(directory)).filter((name) => !ANYWHERE.test(name))
  if (names.length > 0 && !names.some((name) => OUR_FILES.test(name)))
    throw new Error('it holds other files and no store: name a new or an empty folder')
}

/** Rejects with the reason if the folder cannot be used. A command can still read a store on a network file system, to move it. */
export const prepareFolder = async (
  { directory, checksDataFile, notify }: FolderSettings,
  readType = typeOf,
): Promise<void> => {
  await makeFolder(directory)
  await checkAccess(directory)
  const isInUse = await checkFormat(directory)
  if (checksDataFile || !isInUse) checkFileSystem(await readType(directory), directory, notify)
  const dataFile = join(directory, DATA_FILE)
  // the first process in a new folder may have ended before it wrote anything
  const isEmpty = ((await unlessMissing(stat(dataFile)))?.size ?? 0) === 0
  if (isEmpty && isInUse) throw new Error('its data file is missing or empty')
  if (!isEmpty && checksDataFile) checkDataFile(dataFile)
  if (!isInUse) {
    await checkForeign(directory)
    await checkSpace(directory)
  }
}

/** Records the format, once the folder contains a store. */
export const markFolder = async (directory: string): Promise<void> => {
  const path = join(directory, FORMAT_FILE)
  if ((await unlessMissing(readFile(path))) !== undefined) return
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `animal-store ${FORMAT}\n`, { mode: 0o600, flush: true })
  await rename(draft, path)
  await syncToDisk(directory)
}
