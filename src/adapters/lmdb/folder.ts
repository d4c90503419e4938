// The folder of the embedded store: made if missing, and refused, untouched, if this version cannot use it.
import { constants } from 'node:fs'
import { access, open, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDataFile } from './data-file.js'
import { makeFolder } from './make-folder.js'
import { isMissing, unlessMissing } from './missing-file.js'

/** The format that this version writes, and the newest that it reads. */
const FORMAT = 1
const FORMAT_FILE = 'format'
const FORMAT_TEXT = /^animal-store ([1-9]\d*)\n$/

/** Whether a store has been made in the folder. If that cannot be told, opening the store will say why. */
export const holdsStore = (directory: string): Promise<boolean> =>
  access(join(directory, FORMAT_FILE)).then(
    () => true,
    (error: unknown) => !isMissing(error),
  )

/** Whether the folder holds a store already. */
const checkFormat = async (directory: string): Promise<boolean> => {
  const text = await unlessMissing(readFile(join(directory, FORMAT_FILE), 'utf8'))
  if (text === undefined) return false
  const format = FORMAT_TEXT.exec(text)?.[1]
  if (format === undefined) throw new Error(`its file ${FORMAT_FILE} is damaged`)
  if (Number(format) > FORMAT) {
    throw new Error(`it was written by a newer version, in format ${format}; this version knows format ${FORMAT}`)
  }
  return true
}

const checkAccess = async (directory: string): Promise<void> => {
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const file of ['data.mdb', 'lock.mdb']) {
    await unlessMissing(access(join(directory, file), constants.R_OK | constants.W_OK))
  }
}

/** A new store's files and some room to grow; LMDB ends the process by a signal where it cannot make them. */
const BYTES_TO_BEGIN = 262_144

const checkSpace = async (directory: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < BYTES_TO_BEGIN) throw new Error('there is no space left on its disk')
}

/** Makes the folder, for this user alone, if it is missing; rejects with the reason if it cannot be used. */
export const prepareFolder = async (directory: string): Promise<void> => {
  await makeFolder(directory)
  await checkAccess(directory)
  const isInUse = await checkFormat(directory)
  checkDataFile(join(directory, 'data.mdb'), isInUse)
  if (!isInUse) await checkSpace(directory)
}

/** Writes down the format, once the folder holds a store of it. */
export const markFolder = async (directory: string): Promise<void> => {
  const path = join(directory, FORMAT_FILE)
  if ((await unlessMissing(readFile(path))) !== undefined) return
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `animal-store ${FORMAT}\n`, { mode: 0o600, flush: true })
  await rename(draft, path)
  // the names of the folder's files are data of the folder
  const folder = await open(directory, 'r')
  await folder.sync().finally(() => folder.close())
}
