// Puts a backup in the place of a store that no process uses. The folder may be a mount, so its files move and it stays.
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { copyStore } from './backup.js'
import { DATA_FILE, LOCK_FILE } from './environment/data-file.js'
import { checkFormat, FORMAT_FILE, makeFolder, syncToDisk, unlessMissing } from './environment/folder.js'
import { enterFolder } from './environment/pid-namespace.js'
import { COUNTER_KEY, lastDrawnId } from './tables/meta-table.js'
import { LOG_ID_KEY, ORIGIN_KEY, openRoot, openTables, type Tables } from './tables/tables.js'

const inTables = async <A>(directory: string, readOnly: boolean, job: (tables: Tables) => A): Promise<A> => {
  const root = openRoot(directory, { readOnly })
  try {
    return job(openTables(root))
  } finally {
    await root.close()
  }
}

export interface Identity {
  /** The log of the store, or that of the store that was copied; undefined for a backup of an older version. */
  readonly log: string | undefined
  /** The last id that was drawn, in decimal digits. */
  readonly lastId: string
}

/** Undefined if there is no store. **A damaged page may crash the process: run it in a separate one.** */
export const identify = async (directory: string): Promise<Identity | undefined> => {
  if (!(await checkFormat(directory))) return undefined
  const leave = await enterFolder(directory, () => {})
  return inTables(directory, true, (tables) => {
    const lastId = lastDrawnId(tables)
    if (E.isLeft(lastId)) throw new Error(lastId.left)
    const log = tables.meta.get(LOG_ID_KEY) ?? tables.meta.get(ORIGIN_KEY)
    return { log: log?.toString(), lastId: String(lastId.right) }
  }).finally(leave)
}

/** Resolves to whether there was such a file. */
const moved = async (from: string, to: string): Promise<boolean> =>
  (await unlessMissing(rename(from, to).then(() => true))) === true

const restore = async (backup: string, directory: string, lastId: bigint, aside: string): Promise<boolean> => {
  await makeFolder(directory)
  const leave = await enterFolder(directory, () => {}, { isAlone: true })
  const draft = join(directory, '.restoring')
  try {
    await rm(draft, { recursive: true, force: true })
    await copyStore(backup, draft)
    await inTables(draft, false, ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from(String(lastId))))
    await syncToDisk(join(draft, DATA_FILE))
    await mkdir(aside, { mode: 0o700 })
    // its format file stays until the end: a start meanwhile, or after a crash, finds no data file and refuses to make a new store
    await unlessMissing(copyFile(join(directory, FORMAT_FILE), join(aside, FORMAT_FILE)))
    await moved(join(directory, LOCK_FILE), join(aside, LOCK_FILE))
    const hadStore = await moved(join(directory, DATA_FILE), join(aside, DATA_FILE))
    for (const file of [DATA_FILE, FORMAT_FILE]) await rename(join(draft, file), join(directory, file))
    for (const folder of [aside, directory]) await syncToDisk(folder)
    if (!hadStore) await rm(aside, { recursive: true })
    return hadStore
  } finally {
    await rm(draft, { recursive: true, force: true })
    await leave()
  }
}

/**
 * Restores a sound backup to the folder, whose next id is greater than `lastId`. The files of the store that is there move to the new
 * folder `aside` in it. Resolves to whether there was one. Fails if a process uses the folder.
 */
export const restoreLmdbStore = (
  backup: string,
  directory: string,
  lastId: bigint,
  aside: string,
): TE.TaskEither<Unavailable, boolean> => TE.tryCatch(() => restore(backup, directory, lastId, aside), unavailable)
