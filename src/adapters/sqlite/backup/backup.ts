// Backs up the embedded store to one file while other processes write.
import { closeSync, fstatSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError } from '../../../domain/thrown.js'
import type { Connection, Sql } from '../file/connection.js'
import { LAST_BACKUP, statOf } from '../file/files.js'
import { DATABASE, holdsStore } from '../file/folder.js'
import { createWhole, type Draft, openDraft } from '../file/new-file.js'
import { asOwnerOf } from '../file/owner.js'
import { tablesOf } from '../file/schema.js'
import { reading } from './verify-store.js'

/** A compact, consistent copy in an empty draft. Holds a snapshot until it is done, so the log of the store grows meanwhile. */
export const copyTo = (connection: Connection, { path, handle }: Draft): void => {
  tablesOf(connection)
  // its files are open now, so that it can be read as the owner of another folder
  asOwnerOf(dirname(path), () => connection.run('VACUUM INTO ?', path))
  // the name may have led SQLite to another file
  if (fstatSync(handle).size === 0) throw new Error(`${path} was replaced by another file`)
}

/** For the metrics. A new file each time: one that another user wrote could not be overwritten. */
const recordBackup = (directory: string): void => {
  const path = join(directory, LAST_BACKUP)
  const draft = openDraft(path)
  closeSync(draft.handle)
  renameSync(draft.path, path)
}

const COUNT: Sql<[pets: bigint]> = 'SELECT ifnull(sum(pets), 0) FROM counts'

const petsIn = (connection: Connection): number => Number(connection.first(COUNT)?.[0])

/** Files of a folder that are looked at for the newest backup: it may have many others. */
const MAX_TRIED = 100

export interface NewestBackup {
  readonly path: string
  readonly pets: number
}

/** The newest backup in the folder, except `path`. */
const newestBeside = (path: string): O.Option<NewestBackup> => {
  const folder = dirname(path)
  const files = readdirSync(folder)
    .filter((name) => !name.startsWith(DATABASE) && !name.startsWith('.'))
    .map((name) => join(folder, name))
    .map((file) => ({ file, stats: lstatSync(file) }))
    .filter(({ file, stats }) => file !== path && stats.isFile())
    .toSorted((one, other) => other.stats.mtimeMs - one.stats.mtimeMs)
    .slice(0, MAX_TRIED)
  return RA.findFirstMap(({ file }: (typeof files)[number]) =>
    O.tryCatch(() => ({ path: file, pets: reading(file, petsIn) })),
  )(files)
}

export interface Backup {
  readonly bytes: number
  readonly pets: number
  /** Another backup in its folder, if there is one. */
  readonly newest: O.Option<NewestBackup>
  /** Why the time of the backup was not recorded; the metrics then still show the previous backup. */
  readonly unrecorded: string | undefined
  /** Why a power failure may lose the name of the file. */
  readonly unsynced: string | undefined
}

/**
 * Backs up the store to a new file, synced to disk, which contains every write acknowledged before the call. Blocks the
 * event loop: run it in a separate process. Fails only as `Unavailable`, also if the path exists.
 */
export const backupSqliteStore = (directory: string, path: string): TaskEither<Unavailable, Backup> =>
  tryCatch(async () => {
    const database = join(directory, DATABASE)
    if (!holdsStore(directory)) throw new Error(`${database} is missing or empty`)
    let pets = 0
    const unsynced = await createWhole(path, (draft) =>
      reading(database, (connection) => {
        copyTo(connection, draft)
        pets = petsIn(connection)
      }),
    )
    const unrecorded = E.tryCatch(() => recordBackup(directory), asError)
    const newest = O.tryCatch(() => asOwnerOf(dirname(path), () => newestBeside(path)))
    return {
      bytes: statOf(path)?.size ?? 0,
      pets,
      newest: O.flatten(newest),
      unrecorded: E.isLeft(unrecorded) ? unrecorded.left.message : undefined,
      unsynced,
    }
  }, unavailable)
