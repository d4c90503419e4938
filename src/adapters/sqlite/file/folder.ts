// The folder of the embedded store: its allowed contents, location and owner.
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { asError, memberOf } from '../../../domain/thrown.js'
import { isUnopened } from './connection.js'
import { filesOf, journalOf, LAST_BACKUP, statOf } from './files.js'
import { createWhole, syncNames } from './new-file.js'
import { createStore } from './schema.js'

export const DATABASE = 'animal-store.db'

/** Former stores, moved aside by `restore`. */
const REPLACED = 'replaced-'

/** Also true if the size cannot be read; opening the store then reports the reason. */
export const holdsStore = (directory: string): boolean => {
  try {
    return (statOf(join(directory, DATABASE))?.size ?? 0) > 0
  } catch {
    return true
  }
}

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory).toSorted()
  } catch (error) {
    if (memberOf(error, 'code') === 'ENOENT') return []
    throw error
  }
}

/** Whether a name shows that the folder has or had a store. */
const isTrace = (name: string): boolean =>
  name === LAST_BACKUP || name.startsWith(REPLACED) || [...filesOf(DATABASE), journalOf(DATABASE)].includes(name)

/** Whether the folder has a store, or traces of a former one, which `prepareFolder` refuses. */
export const holdsTraces = (directory: string): boolean => holdsStore(directory) || namesIn(directory).some(isTrace)

/** Where `restore` moves the present store at a time, in ISO 8601. */
export const asideAt = (directory: string, time: string): string =>
  join(directory, `${REPLACED}${time.replaceAll(/[:.]/g, '-')}`)

/**
 * Creates the folder and its parents with mode 0700, and syncs their names, so that a crash cannot lose the store. Not
 * with `recursive`: if mkdir fails with ENOENT although the parent exists (as below /proc), Node 20 retries forever.
 */
export const makeFolder = (directory: string): void => {
  const isThere = () => statOf(directory)?.isDirectory() === true
  if (isThere()) return
  const parent = dirname(directory)
  makeFolder(parent)
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // another process may have created it first
    if (!isThere()) throw error
  }
  syncNames(parent)
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
export const checkForeign = (directory: string): void => {
  if (readdirSync(directory).some((name) => !OURS.test(name)))
    throw new Error('it holds other files and no store: name a new or an empty folder')
}

/** SQLite keeps the log beside the target of a link, where we would not look for it. */
export const checkLink = (path: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${path} is a symbolic link: set DATA_DIR to the folder of the file itself`)
}

/** Throws if there is a journal, which SQLite would undo in the database at its opening. */
export const checkJournal = (path: string): void => {
  const journal = journalOf(path)
  if (!statOf(journal)?.size) return
  const danger = `is no part of a store, and SQLite would play it into ${path}`
  throw new Error(`${journal} ${danger}: move it away, or restore a backup`)
}

/** An empty store in place of a lost one would give out its ids again, and backups of it would displace the good ones. */
const checkTraces = (directory: string): void => {
  const [path, log] = filesOf(join(directory, DATABASE))
  if (statOf(log)?.size) throw new Error(`${path} is missing or empty, and ${log} is not: restore a backup`)
  const trace = namesIn(directory).find(isTrace)
  if (trace !== undefined)
    throw new Error(
      `${path} is missing or empty, and ${trace} is left of a store: restore a backup, or name another folder`,
    )
}

/** Creates the database, unless another process has done so. */
const createDatabase = async (path: string): Promise<void> => {
  try {
    await createWhole(path, (draft) => createStore(draft.path))
  } catch (error) {
    if (memberOf(error, 'code') !== 'EEXIST') throw error
  }
}

/**
 * Throws if every user of the machine may replace the files of a folder. Warns if they may look into it, which can
 * only be a folder that we did not create.
 */
const checkMode = (directory: string, warn: (reason: string) => void): void => {
  const mode = process.platform === 'win32' ? 0 : statSync(directory).mode
  const found = `it has mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
  const remedy = `chmod o-rwx ${directory}`
  if ((mode & 0o002) !== 0) throw new Error(`${found}, so every user may replace its files: ${remedy}`)
  if ((mode & 0o005) !== 0) warn(`${found}: ${remedy}`)
}

/** Returns the path of the database, creating it if missing. Rejects with the reason if the folder cannot be used. */
export const prepareFolder = async (directory: string, warn: (reason: string) => void): Promise<string> => {
  makeFolder(directory)
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  checkFileSystem(statfsSync(directory).type)
  checkMode(directory, warn)
  const path = join(directory, DATABASE)
  checkLink(path)
  if (!holdsStore(directory)) {
    checkForeign(directory)
    checkTraces(directory)
    await createDatabase(path)
  }
  checkJournal(path)
  accessSync(path, constants.R_OK | constants.W_OK)
  return path
}

/** The path and its owner, or of its nearest ancestor that stat can read. */
const ownedPath = (path: string): string => {
  try {
    const found = statSync(path)
    const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
    return `${path}, which belongs to user ${found.uid} and group ${found.gid} with mode ${mode}`
  } catch {
    return ownedPath(dirname(path))
  }
}

/** By the mode, because `access` judges the real user, which is root if root acts as another one. */
const mayRead = (path: string): boolean => {
  const [uid, groups] = [process.geteuid?.(), [process.getegid?.(), ...(process.getgroups?.() ?? [])]]
  const found = statOf(path)
  if (found === undefined || uid === undefined || uid === 0) return true
  const mine = found.uid === uid ? 0o400 : groups.includes(found.gid) ? 0o040 : 0o004
  return (found.mode & mine) !== 0
}

/** The message of the error; if access to the database or another file was denied, it names the user and the owner. */
export const explain = (error: unknown, database: string): string => {
  const denied = memberOf(error, 'code') === 'EACCES' ? memberOf(error, 'path') : undefined
  const path = isUnopened(error) && !mayRead(database) ? database : denied
  if (typeof path !== 'string') return asError(error).message
  const user = `user ${process.geteuid?.()} of group ${process.getegid?.()}`
  return `EACCES: ${user} has no access to ${ownedPath(resolve(path))}`
}
