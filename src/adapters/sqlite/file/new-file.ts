// Creates a file that has its name only once it is complete, and never replaces another one by accident.
import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asError, memberOf } from '../../../domain/thrown.js'
import { statOf, syncToDisk } from './files.js'
import { asOwnerOf, giveToOwner } from './owner.js'

const existsAlready = (path: string, cause?: unknown): Error =>
  Object.assign(new Error(`${path} exists already`, { cause }), { code: 'EEXIST' })

/** Errors of file systems without hard links, such as FAT, many network file systems and folders shared with a container. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']

/** Errors of file systems that cannot sync a folder, and of folders that we may write to but not read. */
const NO_FOLDER_SYNC: readonly unknown[] = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EACCES', 'EISDIR']

/** Gives a second name to a file, or a new one where files have only one name. Never replaces a file. */
export const linkOrRename = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    const code = memberOf(error, 'code')
    if (code === 'EEXIST') throw existsAlready(to, error)
    if (!NO_LINKS.includes(code)) throw error
    if (isTaken(to)) throw existsAlready(to, error)
    renameSync(from, to)
  }
}

// a dangling symbolic link counts, too
const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Syncs the names in a folder. Returns the reason if that is impossible there: then a power failure may lose a name. */
export const syncNames = (folder: string): string | undefined => {
  try {
    syncToDisk(folder)
    return undefined
  } catch (error) {
    if (NO_FOLDER_SYNC.includes(memberOf(error, 'code'))) return asError(error).message
    throw error
  }
}

export interface Draft {
  readonly path: string
  /** Open for reading and writing. */
  readonly handle: number
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/** Creates an empty, private file beside the path. */
export const openDraft = (path: string): Draft => {
  const folder = dirname(path)
  if (statOf(folder) === undefined) throw new Error(`the folder ${folder} does not exist`)
  const draft = join(folder, `.${basename(path)}.unfinished-${randomUUID()}`)
  const handle = openSync(draft, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600)
  giveToOwner(handle, folder)
  return { path: draft, handle }
}

/** Throws unless the name belongs to the file that we opened: another user may have replaced it. */
const checkName = (path: string, handle: number): void => {
  const [named, opened] = [lstatSync(path, { bigint: true }), fstatSync(handle, { bigint: true })]
  if (named.ino !== opened.ino || named.dev !== opened.dev) throw new Error(`${path} was replaced by another file`)
}

/**
 * Fills a draft beside the path, syncs it, and then gives it its name. A failure removes the draft; a killed process
 * leaves it. Rejects with the code EEXIST if the path exists, unless `place` replaces it. Returns why the name could not
 * be synced, if so. Root works as the owner of the folder.
 */
export const createWhole = async (
  path: string,
  fill: (draft: Draft) => unknown,
  place?: (draft: string) => void,
): Promise<string | undefined> => {
  const folder = dirname(path)
  const draft = asOwnerOf(folder, () => {
    if (place === undefined && isTaken(path)) throw existsAlready(path)
    return openDraft(path)
  })
  try {
    await fill(draft)
    fsyncSync(draft.handle)
    return asOwnerOf(folder, () => {
      checkName(draft.path, draft.handle)
      if (place === undefined) linkOrRename(draft.path, path)
      else place(draft.path)
      checkName(path, draft.handle)
      try {
        return syncNames(folder)
      } catch (error) {
        // a power failure may lose the name, so remove the file; a replaced one cannot be brought back
        if (place === undefined) rmSync(path, { force: true })
        throw error
      }
    })
  } finally {
    closeSync(draft.handle)
    asOwnerOf(folder, () => removeDraft(draft.path))
  }
}

/** Ignores errors, so as not to hide the first one. SQLite leaves its journal if the disk is full. */
const removeDraft = (draft: string): void => {
  for (const file of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
    try {
      rmSync(file, { force: true })
    } catch {}
}
