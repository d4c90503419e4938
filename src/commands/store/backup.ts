// animal-store backup PATH | verify PATH | restore BACKUP: copies of the embedded store. Backup and verify also work
// while the service runs.

import { dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Verification } from '../../adapters/sqlite/backup/verify-store.js'
import { identify, statOf } from '../../adapters/sqlite/file/files.js'
import { asideAt, DATABASE } from '../../adapters/sqlite/file/folder.js'
import { actAsOwnerOf } from '../../adapters/sqlite/file/owner.js'
import { missingStoreFolder, needSqlite } from '../../composition/configured-adapters.js'
import { type StoreConfig, storeText } from '../../config/config.js'
import { asError } from '../../domain/thrown.js'
import { type Command, counted, DONE, FAILED, failed, withProgress } from '../command.js'
import { MEMORY_UNREACHABLE, nameMayBeLost, noStoreIn } from '../store-command.js'

/** The database in a folder, or the path itself if it is a file. */
const databaseAt = (path: string): string => (statOf(path)?.isDirectory() === true ? join(path, DATABASE) : path)

const isMissing = (path: string): boolean => statOf(path) === undefined

const BAR = '{bar} {value} of {total} records'

const linesOf = (path: string, file: string, found: Verification): readonly string[] => {
  const { pets, apiKeys, idempotencyKeys, damaged, findings } = found
  const lines = findings.map(({ record, id, reason }) => `damaged ${record} ${id}: ${reason}`)
  if (findings.some(({ id }) => id === file)) return [...lines, `${path} cannot be read`]
  const held = `${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  const verdict = damaged === 0 ? 'undamaged' : `damaged in ${counted(damaged, 'place')}`
  return [...lines, `${path} is ${verdict}: ${held}`]
}

export const verify: Command = {
  usage: 'verify PATH',
  summary: 'check every record of an embedded store or a backup; PATH is the folder or the file',
  run: async (args, { store }, output) => {
    if (store._tag === 'memory') return failed(output, MEMORY_UNREACHABLE)
    const [operand = ''] = args.positionals
    const path = resolve(operand)
    const file = databaseAt(path)
    if (isMissing(file)) return failed(output, `there is no store in ${path}`)
    needSqlite()
    const { verifyStore } = await import('../../adapters/sqlite/backup/verify-store.js')
    actAsOwnerOf(dirname(file))
    const checked = await withProgress(BAR, async (advance) => E.tryCatch(() => verifyStore(file, advance), asError))
    if (E.isLeft(checked)) return failed(output, `${path} cannot be read: ${checked.left.message}`)
    const found = checked.right
    await output.result(args.json ? { json: JSON.stringify({ path, ...found }) } : linesOf(path, file, found))
    return found.damaged === 0 ? DONE : FAILED
  },
}

/** The error message for other stores. */
const UNSUITED: Readonly<Record<Exclude<StoreConfig['_tag'], 'embedded'>, string>> = {
  mongodb:
    'back up and restore STORE=mongodb with the tools of MongoDB, such as mongodump; this command is for STORE=embedded',
  memory: MEMORY_UNREACHABLE,
}

export const backup: Command = {
  usage: 'backup PATH',
  summary: 'copy the embedded store to the new file PATH, also while the service runs',
  run: async (args, config, output) => {
    const { store } = config
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    const missing = await missingStoreFolder(config)
    if (missing !== undefined) return failed(output, noStoreIn(missing))
    output.message(`store: ${storeText(store)}`)
    needSqlite()
    const { backupSqliteStore } = await import('../../adapters/sqlite/backup/backup.js')
    const path = resolve(operand)
    actAsOwnerOf(store.directory)
    const taken = await backupSqliteStore(store.directory, path)()
    if (E.isLeft(taken)) return failed(output, `no backup was made: ${asError(taken.left.cause).message}`)
    const { bytes, pets, newest, unrecorded, unsynced } = taken.right
    if (O.isSome(newest) && newest.value.pets > pets)
      output.message(
        `warning: this backup has ${counted(pets, 'pet')}, and ${newest.value.path} has ${newest.value.pets}: is ${store.directory} the right store?`,
      )
    const effect = `its time could not be recorded in ${store.directory}, so AnimalStoreBackupOld may fire`
    if (unrecorded !== undefined) output.message(`${effect}: ${unrecorded}; back up as the user of the service`)
    if (unsynced !== undefined) output.message(nameMayBeLost(path, unsynced))
    await output.result(
      args.json ? { json: JSON.stringify({ path, bytes }) } : [`backed up to ${path}, ${bytes} bytes`],
    )
    return DONE
  },
}

export const restore: Command = {
  usage: 'restore BACKUP [--force]',
  options: { force: { type: 'boolean' } },
  summary:
    'replace the embedded store with the file BACKUP, while the service is stopped; with --force also a database that commands refuse',
  run: async (args, { store }, output, clock) => {
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    output.message(`store: ${storeText(store)}`)
    const [path, backup] = [resolve(store.directory), databaseAt(resolve(operand))]
    const refused = (reason: string) => failed(output, `nothing was restored: ${reason}`)
    // compares device and inode, because the backup may be a link to the store
    const [[given], [present]] = [identify(backup), identify(join(path, DATABASE))]
    if (given !== undefined && given === present) return refused(`${backup} is the store itself`)
    if (isMissing(backup)) return refused(`there is no backup in ${backup}`)
    needSqlite()
    const { DamagedBackup, restoreSqliteStore } = await import('../../adapters/sqlite/backup/restore.js')
    actAsOwnerOf(store.directory)
    const aside = asideAt(path, new Date(clock.now()).toISOString())
    const isForced = args.has('force')
    const restored = await withProgress(BAR, (advance) =>
      restoreSqliteStore(backup, path, { aside, isForced, advance })(),
    )
    if (E.isLeft(restored)) {
      const { cause } = restored.left
      if (cause instanceof DamagedBackup)
        return refused(`${backup} is damaged: animal-store verify ${operand} says where`)
      // not `refused`: if the last sync failed, the backup is already in place
      return failed(output, `the restore failed: ${asError(cause).message}`)
    }
    const { hadStore, lastId, pets, unsynced } = restored.right
    if (unsynced !== undefined) output.message(nameMayBeLost(path, unsynced))
    output.message('API keys that were revoked after the backup work again: see animal-store keys list')
    const former = hadStore ? [`the former store is in ${aside}`] : []
    const lines = [`restored ${pets} pets to ${path}; the next id is greater than ${lastId}`, ...former]
    const json = { path, replaced: hadStore ? aside : null, lastId: Number(lastId) }
    await output.result(args.json ? { json: JSON.stringify(json) } : lines)
    return DONE
  },
}
