// The folder of the embedded store: created if it is missing, and refused without a change if this version cannot use it.
import { constants } from 'node:fs'
import { access, mkdir, open, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkDataFile } from './data-file.js'
import { judgeFileSystem } from './file-system.js'

/** The format that this version writes, and the newest one that it reads. */
const FORMAT = 1
export const FORMAT_FILE = 'format'
export const DATA_FILE = 'data.mdb'
/** Its time is that of the last backup, for the metrics. */
export const LAST_BACKUP_FILE = 'last-backup'
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

/**
 * Creates the folder and its parents, accessible only to this user. Does not use the `recursive` option of mkdir: if the
 * system returns ENOENT although the parent exists, as below /proc, Node 20 retries forever.
 */
const makeFolder = async (directory: string): Promise<void> => {
  if (await isFolder(directory)) return
  await makeFolder(dirname(directory))
  await mkdir(directory, { mode: 0o700 }).catch(async (error: unknown) => {
    // another process may have created it first
    if (!(await isFolder(directory))) throw error
  })
}

const checkAccess = async (directory: string): Promise<void> => {
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const file of [DATA_FILE, 'lock.mdb']) {
    await unlessMissing(access(join(directory, file), constants.R_OK | constants.W_OK))
  }
}

/** Whether the folder contains a store; rejects if it has a newer format. */
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

const checkSpace = async (directory: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < NEW_STORE_BYTES) throw new Error('there is no space left on its disk')
}

const typeOf = async (directory: string): Promise<number> => (await statfs(directory)).type

/** The name of a file system that may not suit the store; rejects if it does not. */
const checkFileSystem = async (directory: string, readType: typeof typeOf): Promise<string | undefined> => {
  const verdict = judgeFileSystem(await readType(directory), process.platform)
  switch (verdict._tag) {
    case 'Refused':
      throw new Error(
        `it is on ${verdict.name}, a network file system, on which LMDB may lose data; use a local disk, or MongoDB`,
      )
    case 'Doubtful':
      return verdict.name
    case 'Suited':
      return undefined
  }
}

export interface Prepared {
  /** The name of a file system that may be a network file system. */
  readonly doubtfulFileSystem: string | undefined
}

/**
 * Creates the folder if it is missing; rejects with the reason if it cannot be used. A command beside a running service can
 * still read a store on a network file system, to move it.
 */
export const prepareFolder = async (
  directory: string,
  checksDataFile: boolean,
  readType: (directory: string) => Promise<number> = typeOf,
): Promise<Prepared> => {
  await makeFolder(directory)
  await checkAccess(directory)
  const isInUse = await checkFormat(directory)
  const startsHere = checksDataFile || !isInUse
  const doubtfulFileSystem = startsHere ? await checkFileSystem(directory, readType) : undefined
  const dataFile = join(directory, DATA_FILE)
  // the first process in a new folder may have ended before it wrote anything
  const isEmpty = ((await unlessMissing(stat(dataFile)))?.size ?? 0) === 0
  if (isEmpty && isInUse) throw new Error('its data file is missing or empty')
  if (!isEmpty && checksDataFile) checkDataFile(dataFile)
  if (!isInUse) await checkSpace(directory)
  return { doubtfulFileSystem }
}

/** Syncs a file, or the names of the files in a folder, which are data of the folder. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
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
