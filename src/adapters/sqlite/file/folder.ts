// The folder of the embedded store: created if it is missing, and refused without a change if this version cannot use it.
import { constants } from 'node:fs'
import { access, chown, mkdir, open, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { memberOf } from '../../../domain/thrown.js'
import { DATABASE, filesOf, sizeOf } from './files.js'

/** Undefined if the file or folder is missing. */
export const unlessMissing = async <A>(look: Promise<A>): Promise<A | undefined> => {
  try {
    return await look
  } catch (error) {
    if (memberOf(error, 'code') === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the folder contains a store. If that cannot be determined, opening the store reports the reason. */
export const holdsStore = (directory: string): Promise<boolean> =>
  stat(join(directory, DATABASE)).then(
    ({ size }) => size > 0,
    (error: unknown) => memberOf(error, 'code') !== 'ENOENT',
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

/** What root creates belongs to the owner of its folder, whose service must be able to open it. */
export const giveToOwner = async (path: string): Promise<void> => {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

/** File systems on another machine, where locks and shared memory do not hold, by the types that Linux gives them (statfs(2)). */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xc36400, 'Ceph'],
  [0xbd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
])

/** Throws on a network file system. Only the types of Linux are known. */
export const checkFileSystem = (type: number, platform: NodeJS.Platform = process.platform): void => {
  // on some machines the number is signed
  const network = platform === 'linux' ? NETWORK.get(type >>> 0) : undefined
  if (network === undefined) return
  throw new Error(
    `it is on ${network}, a network file system, on which SQLite may lose data; use a local disk, or MongoDB`,
  )
}

/** What every folder may have, such as that of a new file system; and what another process of ours may have made. */
const OURS = /^(?:\.|lost\+found$|animal-store\.db|last-backup$|replaced-)/

const FORMER = 'data.mdb'

/** A mistyped DATA_DIR must not put a store among the files of another program. */
export const checkForeign = async (directory: string): Promise<void> => {
  const names = await readdir(directory)
  if (names.includes(FORMER)) {
    const what = 'it holds a store of an earlier, unpublished version (data.mdb), which this one does not read'
    throw new Error(`${what}: export it with that version and import it here, in a new folder; nothing was changed`)
  }
  if (names.some((name) => !OURS.test(name)))
    throw new Error('it holds other files and no store: name a new or an empty folder')
}

/** Creates the file of a new store; another process may do the same. */
const createFile = async (path: string): Promise<void> => {
  const [, log = ''] = filesOf(path)
  // SQLite would throw the log away, and with it acknowledged writes
  if ((sizeOf(log) ?? 0) > 0) throw new Error(`${path} is missing or empty, and ${log} is not: restore a backup`)
  const handle = await open(path, 'a', 0o600)
  await handle.close()
  await giveToOwner(path)
  await syncToDisk(dirname(path))
}

/** The path of the database, which is created if it is missing. Rejects with the reason if the folder cannot be used. */
export const prepareFolder = async (directory: string): Promise<string> => {
  await makeFolder(directory)
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  checkFileSystem((await statfs(directory)).type)
  const path = join(directory, DATABASE)
  if (!(await holdsStore(directory))) {
    await checkForeign(directory)
    await createFile(path)
  }
  await access(path, constants.R_OK | constants.W_OK)
  return path
}

/** What is in the way: the path, or the nearest folder above it that can be looked at. */
const ownerOf = async (path: string): Promise<string> => {
  try {
    const { uid, gid, mode } = await stat(path)
    return `${path}, which belongs to user ${uid} and group ${gid} with mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
  } catch (error) {
    if (dirname(path) === path) throw error
    return ownerOf(dirname(path))
  }
}

/** The error; if access was denied, with the user and the owner. */
export const withOwner = async (error: unknown): Promise<unknown> => {
  const uid = process.geteuid?.()
  if (uid === undefined || memberOf(error, 'code') !== 'EACCES') return error
  const path = String(memberOf(error, 'path'))
  const user = `user ${uid} of group ${process.getegid?.()}`
  return new Error(`EACCES: ${user} has no access to ${await ownerOf(path)}`, { cause: error })
}
