// A new file that is complete once it has its name, and never takes the name of another one.
import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { memberOf } from '../../../domain/thrown.js'
import { giveToOwner, statOf, syncToDisk } from './files.js'

const existsAlready = (path: string, cause?: unknown): Error =>
  Object.assign(new Error(`${path} exists already`, { cause }), { code: 'EEXIST' })

/** What a file system without hard links answers, such as FAT. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

// also a link to nothing
const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Unlike a rename, a link never replaces what another process has put there meanwhile. */
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
 * Fills a draft beside the path, syncs it, and then gives it its name. A process that is killed leaves the draft behind, and a failure
 * nothing. Rejects with the code EEXIST if the path exists, unless `place` replaces it.
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
      // its name may be lost in a crash of the machine; what was replaced cannot come back
      if (place === undefined) await rm(path, { force: true })
      throw error
    })
  } finally {
    // why it failed matters more than a draft that stays; SQLite leaves its journal if the disk is full
    for (const file of [draft, `${draft}-journal`]) await rm(file, { force: true }).catch(() => {})
  }
}
