// Restores a backup of the embedded store over one that no process uses, in whatever state that is.
import { randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { type Connection, connect, isBusy, isDamage, using } from '../file/connection.js'
import { filesOf, journalOf, statOf } from '../file/files.js'
import { checkForeign, checkLink, DATABASE, holdsStore, makeFolder } from '../file/folder.js'
import { createWhole, type Draft, linkOrRename, syncNames } from '../file/new-file.js'
import { asOwnerOf, giveToOwner } from '../file/owner.js'
import { ensureSchema, ForeignDatabase, ForeignTables, tablesOf } from '../file/schema.js'
import { highestId, lastId } from '../records.js'
import { copyTo } from './backup.js'
import { type Advance, reading, verifyStore } from './verify-store.js'

const { O_DIRECTORY, O_NOFOLLOW } = constants

/** Ids to skip when it is unknown which ids were used after the backup: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

/** The backup cannot be restored: it is damaged. */
export class DamagedBackup extends Error {}

/** What cannot be read of a present store, which may be damaged in any way, is unknown. */
const known = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Locks the present store against other processes; undefined if it cannot be read. Throws if it is not ours, unless forced. */
const takeAlone = (path: string, isForced: boolean): Connection | undefined => {
  const connection = known(() => connect(path, { readOnly: false }))
  try {
    connection?.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
    if (connection !== undefined) tablesOf(connection)
    connection?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return connection
  } catch (error) {
    connection?.close()
    if (isBusy(error)) throw new Error('a process is using the store: stop it first', { cause: error })
    if (error instanceof ForeignDatabase && !isForced)
      throw new Error(`the present ${path} cannot be replaced without --force: ${error.message}`, { cause: error })
    return undefined
  }
}

/**
 * The last used id. The present store knows it if it continues the backup: same last event, or same log if no pets. It is
 * not believed if it cannot be read in part, or has a log: nobody knows what a damaged log has lost at its end.
 */
const lastIdOf = (backup: Connection, present: Connection | undefined): bigint => {
  const highest = highestId(backup)
  const markOf = ({ first }: Connection) =>
    (highest === 0n ? first('SELECT log_id FROM store') : first('SELECT event_id FROM pets WHERE id = ?', highest))?.[0]
  const [mark, one] = [markOf(backup), lastId(backup)]
  const found = known(() => present && { last: lastId(present), mark: markOf(present) })
  const last = found !== undefined && found.last > one ? found.last : one
  if (mark !== undefined && found?.mark === mark) return last
  const skipped = last + UNKNOWN_IDS
  return skipped < MAX_PET_ID ? skipped : MAX_PET_ID
}

const CREATED_MEANWHILE = 'a process has created a store there meanwhile: stop it, and restore again'

/** Fills the draft with the backup, under a new log id, since positions in the former log do not apply to it. */
const fillFrom = (backup: string, present: Connection | undefined, draft: Draft, advance: Advance) => {
  try {
    asOwnerOf(dirname(backup), () => reading(backup, (connection) => copyTo(connection, draft)))
    const last = using(draft.path, { readOnly: false }, (connection) => {
      ensureSchema(connection)
      const id = lastIdOf(connection, present)
      connection.run('UPDATE store SET last_id = ?, log_id = ?', id, randomUUID())
      return id
    })
    const { damaged, pets } = verifyStore(draft.path, advance)
    if (damaged > 0) throw new DamagedBackup()
    // without a statement, which would keep the log of the draft open. No process then has to change the mode of the store
    using(draft.path, { readOnly: false }, ({ exec }) => exec('PRAGMA journal_mode = WAL'))
    return { lastId: last, pets }
  } catch (error) {
    throw isDamage(error) || error instanceof ForeignTables ? new DamagedBackup() : error
  }
}

/** Moves the files of the present store aside. Even without a database: SQLite would replay a leftover log. */
const moveAside = (path: string, aside: string): boolean => {
  const former = [...filesOf(path), journalOf(path)].filter(
    (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
  )
  if (former.length === 0) return false
  mkdirSync(aside, { mode: 0o700 })
  const handle = openSync(aside, O_DIRECTORY | O_NOFOLLOW)
  giveToOwner(handle, dirname(aside))
  closeSync(handle)
  // the database gets a second name, where that is possible, so that a start after a crash always finds one of the two
  for (const file of former) (file === path ? linkOrRename : renameSync)(file, join(aside, basename(file)))
  syncNames(aside)
  return true
}

export interface Restored {
  /** Whether files of a former store were moved to `aside`. */
  readonly hadStore: boolean
  /** Every new pet gets a greater id. */
  readonly lastId: bigint
  readonly pets: number
  /** Why a power failure may lose the name of the file. */
  readonly unsynced: string | undefined
}

export interface RestoreOptions {
  /** Where the files of an existing store are moved; must not exist. */
  readonly aside: string
  /** Also replaces a symbolic link, the database of another program and that of a newer version. */
  readonly isForced: boolean
  readonly advance?: Advance
}

/**
 * Restores a backup to the folder, with a new log id; used ids are not reused. `Unavailable` if a process uses the store;
 * its cause is a `DamagedBackup` if the backup is damaged.
 */
export const restoreSqliteStore = (
  backup: string,
  directory: string,
  { aside, isForced, advance = () => {} }: RestoreOptions,
): TaskEither<Unavailable, Restored> =>
  tryCatch(async () => {
    makeFolder(directory)
    const path = join(directory, DATABASE)
    const [, log, index] = filesOf(path)
    if (!isForced) checkLink(path)
    const isHeld = holdsStore(directory)
    // a folder that has lost its store may still hold its backups
    if (!isHeld && dirname(backup) !== directory) checkForeign(directory)
    const hasLog = Boolean(statOf(log)?.size)
    // SQLite would play a journal into the present store, which is to be kept as it is
    const isReadable = isHeld && !statOf(journalOf(path))?.size
    const present = isReadable ? takeAlone(path, isForced) : undefined
    try {
      let filled: ReturnType<typeof fillFrom> | undefined
      let hadStore = false
      const unsynced = await createWhole(
        path,
        (draft) => {
          filled = fillFrom(backup, hasLog ? undefined : present, draft, advance)
        },
        (draft) => {
          if (!isHeld && holdsStore(directory)) throw new Error(CREATED_MEANWHILE)
          hadStore = moveAside(path, aside)
          renameSync(draft, path)
          // left by a process that has just opened the former file: SQLite would replay that log into the restored store
          for (const file of [log, index]) rmSync(file, { force: true })
        },
      )
      return { hadStore, lastId: 0n, pets: 0, ...filled, unsynced }
    } finally {
      present?.close()
    }
  }, unavailable)
