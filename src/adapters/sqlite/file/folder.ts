// The folder of the embedded store: its allowed contents, location and owner.
import { constants, lstatSync } from 'node:fs'
import { access, mkdir, readdir, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { asError, memberOf } from '../../../domain/thrown.js'
import { filesOf, giveToOwner, statOf, syncToDisk } from './files.js'

export const DATABASE = 'animal-store.db'

/** The database of an earlier, unpublished version. */
const FORMER = 'data.mdb'

/** Also true if the size cannot be read; opening the store then reports the reason. */
const isFilled = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    (error: unknown) => memberOf(error, 'code') !== 'ENOENT',
  )

export const holdsStore = (directory: string): Promise<boolean> => isFilled(join(directory, DATABASE))

/** Whether the folder has a store, or what `prepareFolder` refuses: a log without database, or an earlier version's. */
export const holdsTraces = async (directory: string): Promise<boolean> => {
  const traces = [DATABASE, `${DATABASE}-wal`, FORMER]
  return (await Promise.all(traces.map((name) => isFilled(join(directory, name))))).includes(true)
}

/**
 * Creates the folder and its parents with mode 0700, and syncs their names, so that a crash cannot lose the store. Not
 * with `recursive`: if mkdir fails with ENOENT although the parent exists (as below /proc), Node 20 retries forever.
 */
export const makeFolder = async (directory: string): Promise<void> => {
  const isThere = () => statOf(directory)?.isDirectory() === true
  if (isThere()) return
  const parent = dirname(directory)
  await makeFolder(parent)
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    // another process may have created it first
    if (!isThere()) throw error
  })
  await syncToDisk(parent)
}

/** Network file systems, where locks and shared memory do not work, by their Linux type (statfs(2)). */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'SMB',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
}

export const checkFileSystem = (type: number, platform: NodeJS.Platform = process.platform): void => {
  // `>>> 0`: on some machines the number is signed
  const network = platform === 'linux' ? NETWORK[type >>> 0] : undefined
  const reason = `it is on ${network}, a network file system, on which SQLite may lose data; use a local disk, or MongoDB`
  if (network !== undefined) throw new Error(reason)
}

/** Files that may exist already: those of a new file system, hidden ones, and those of our other processes. */
const OURS = /^(?:\.|lost\+found$|animal-store\.db|last-backup$|replaced-)/

/** A mistyped DATA_DIR must not put a store among the files of another program. */
export const checkForeign = async (directory: string): Promise<void> => {
  const names = await readdir(directory)
  const former = `it holds a store of an earlier, unpublished version (${FORMER})`
  if (names.includes(FORMER)) throw new Error(`${former}: export it with that version and import it in a new folder`)
  if (names.some((name) => !OURS.test(name)))
    throw new Error('it holds other files and no store: name a new or an empty folder')
}

/** Returns the path of the database, creating it if missing. Rejects with the reason if the folder cannot be used. */
export const prepareFolder = async (directory: string): Promise<string> => {
  await makeFolder(directory)
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  checkFileSystem((await statfs(directory)).type)
  const path = join(directory, DATABASE)
  // SQLite keeps the log beside the target of the link, where we would not look for it
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${path} is a symbolic link: set DATA_DIR to the folder of the file itself`)
  const [, log] = filesOf(path)
  // read before the size of the database, because a process that creates the store fills the log last
  const hasLog = Boolean(statOf(log)?.size)
  if (!(await holdsStore(directory))) {
    await checkForeign(directory)
    // SQLite would discard the log, and with it acknowledged writes
    if (hasLog) throw new Error(`${path} is missing or empty, and ${log} is not: restore a backup`)
    await writeFile(path, '', { flag: 'a', mode: 0o600 })
    await giveToOwner(path)
    await syncToDisk(directory)
  }
  await access(path, constants.R_OK | constants.W_OK)
  return path
}

/** Describes the owner of the path, or of its nearest ancestor that stat can read. */
const ownerOf = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return ownerOf(dirname(path))
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  return `${path}, which belongs to user ${found.uid} and group ${found.gid} with mode ${mode}`
}

/** The message of the error; if access was denied, it names the user and the owner. */
export const explain = async (error: unknown): Promise<string> => {
  const path = memberOf(error, 'path')
  if (memberOf(error, 'code') !== 'EACCES' || typeof path !== 'string') return asError(error).message
  const user = `user ${process.geteuid?.()} of group ${process.getegid?.()}`
  return `EACCES: ${user} has no access to ${await ownerOf(resolve(path))}`
}
