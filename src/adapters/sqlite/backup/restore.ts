// Puts a backup in the place of a store that no process uses.
import { randomUUID } from 'node:crypto'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { type Connection, connect, isBusy, using } from '../file/connection.js'
import { DATABASE, filesOf, giveToOwner, statOf, syncToDisk } from '../file/files.js'
import { checkForeign, holdsStore, makeFolder } from '../file/folder.js'
import { hasSchema } from '../file/schema.js'
import { highestId, lastId } from '../records.js'
import { copyTo } from './backup.js'

/** Ids to skip if the store that was backed up cannot tell which it has given out: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

/** The present store, which no other process can open meanwhile; undefined if it cannot be read. */
const takeAlone = (path: string): Connection | undefined => {
  const connection = connect(path, { readOnly: false })
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
    if (!hasSchema(connection)) throw new Error('it has no tables')
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) throw new Error('a process is using the store: stop it first', { cause: error })
    return undefined
  }
}

/** The last id that neither store may give out again. The present one knows all ids if it has what the backup has. */
const lastIdOf = (backup: Connection, present: Connection | undefined): bigint => {
  const eventOf = ({ first }: Connection) => first('SELECT event_id FROM pets WHERE id = ?', highestId(backup))?.[0]
  const known = [lastId(backup), present === undefined ? 0n : lastId(present)]
  const last = known.reduce((most, id) => (id > most ? id : most))
  return present !== undefined && eventOf(present) === eventOf(backup) ? last : last + UNKNOWN_IDS
}

export interface Restored {
  /** Whether there was a store, whose files are in the folder `aside` now. */
  readonly hadStore: boolean
  /** The next id is greater. */
  readonly lastId: bigint
}

/**
 * Restores a sound backup to the folder. Its log is another one, and it gives out no id again. The files of the store that is there move
 * to the new folder `aside` in it. `Unavailable` if a process uses the store.
 */
export const restoreSqliteStore = (
  backup: string,
  directory: string,
  aside: string,
): TaskEither<Unavailable, Restored> =>
  tryCatch(async () => {
    await makeFolder(directory)
    // a folder that has lost its store may still hold its backups
    if (dirname(backup) !== directory) await checkForeign(directory)
    const path = join(directory, DATABASE)
    const draft = join(directory, '.restoring')
    const hadStore = await holdsStore(directory)
    const present = hadStore ? takeAlone(path) : undefined
    try {
      await rm(draft, { force: true })
      await copyTo(backup, draft)
      const last = using(draft, { readOnly: false }, (connection) => {
        const id = lastIdOf(connection, present)
        // positions in the log of the backup say nothing about what the restored store adds
        connection.run('UPDATE store SET last_id = ?, log_id = ?', id, randomUUID())
        return id
      })
      await syncToDisk(draft)
      if (hadStore) {
        await mkdir(aside, { mode: 0o700 })
        await giveToOwner(aside)
        // a start after a crash finds the former store or the restored one, and never none
        await link(path, join(aside, DATABASE))
        for (const file of filesOf(path).slice(1))
          if (statOf(file) !== undefined) await rename(file, join(aside, basename(file)))
        await syncToDisk(aside)
      }
      await rename(draft, path)
      await syncToDisk(directory)
      return { hadStore, lastId: last }
    } finally {
      present?.close()
      await rm(draft, { force: true })
    }
  }, unavailable)
