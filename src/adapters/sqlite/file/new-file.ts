// Creates a file that has its name only once it is complete, and never replaces another one by accident.
import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { memberOf } from '../../../domain/thrown.js'
import { giveToOwner, statOf, syncToDisk } from './files.js'

const existsAlready = (path: string, cause?: unknown): Error =>
  Object.assign(new Error(`${path} exists already`, { cause }), { code: 'EEXIST' })

/** Errors of file systems without hard links, such as FAT. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

// a dangling symbolic link counts, too
const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Unlike a rename, a link never replaces a file that another process has created meanwhile. */
const putInPlace = async (draft: string, path: string): Promise<void> => {
  try {
    await link(draft, path)
    await rm(draft)
  } catch (error) {
    const code = memberOf(error, 'code')
    if (code === 'EEXIST') throw existsAlready(path, error)
    if (!NO_LINKS.includes(code)) throw error
    if (isTaken(path)) throw existsAlready(path, error)
    await rename(draft, path)
  }
}

/**
 * Fills a draft beside the path, syncs it, and then gives it its name. A failure removes the draft; a killed process
 * leaves it. Rejects with the code EEXIST if the path exists, unless `place` replaces it.
 */
export const createWhole = async (
  path: string,
  fill: (draft: string) => Promise<void>,
  place?: (draft: string) => Promise<void>,
): Promise<void> => {
  if (place === undefined && isTaken(path)) throw existsAlready(path)
  if (statOf(dirname(path)) === undefined) throw new Error(`the folder ${dirname(path)} does not exist`)
  const draft = join(dirname(path), `.${basename(path)}.unfinished-${randomUUID()}`)
  try {
    await fill(draft)
    await giveToOwner(draft)
    await syncToDisk(draft)
    await (place === undefined ? putInPlace(draft, path) : place(draft))
    await syncToDisk(dirname(path)).catch(async (error: unknown) => {
      // a power failure may lose the name, so remove the file; a replaced one cannot be brought back
      if (place === undefined) await rm(path, { force: true })
      throw error
    })
  } finally {
    // errors here are ignored so as not to hide the first one; SQLite leaves its journal if the disk is full
    for (const file of [draft, `${draft}-journal`]) await rm(file, { force: true }).catch(() => {})
  }
}
