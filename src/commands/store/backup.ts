// animal-store backup PATH | verify PATH | restore BACKUP: copies of the embedded store. Backup and verify also work
// while the service runs.

import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Verification } from '../../adapters/sqlite/backup/verify-store.js'
import { identify } from '../../adapters/sqlite/file/files.js'
import { DATABASE } from '../../adapters/sqlite/file/folder.js'
import { missingStoreFolder, needSqlite } from '../../composition/configured-adapters.js'
import { type StoreConfig, storeText } from '../../config/config.js'
import { asError } from '../../domain/thrown.js'
import { type Command, counted, DONE, FAILED, failed, withProgress } from '../command.js'
import { MEMORY_UNREACHABLE, noStoreIn } from '../store-command.js'

/** The database in a folder, or the path itself if it is a file. */
const databaseAt = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, DATABASE) : path

/** Verifies with a progress bar. Undefined if there is no such file. */
const verifyFile = async (file: string): Promise<Verification | undefined> => {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  needSqlite()
  const { verifyStore } = await import('../../adapters/sqlite/backup/verify-store.js')
  return withProgress('{bar} {value} of {total} records', async (advance) => verifyStore(file, advance))
}

const textOf = (path: string, found: Verification): string => {
  const { pets, apiKeys, idempotencyKeys, damaged, findings } = found
  const lines = findings.map(({ record, id, reason }) => `damaged ${record} ${id}: ${reason}`)
  if (findings.some(({ record, id }) => record === 'database' && id !== 'page'))
    return [...lines, `${path} cannot be read`].join('\n')
  const held = `${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  const verdict = damaged === 0 ? 'undamaged' : `damaged in ${counted(damaged, 'place')}`
  return [...lines, `${path} is ${verdict}: ${held}`].join('\n')
}

export const verify: Command = {
  usage: 'verify PATH',
  summary: 'check every record of an embedded store or a backup; PATH is the folder or the file',
  run: async (args, { store }, output) => {
    if (store._tag === 'memory') return failed(output, MEMORY_UNREACHABLE)
    const [operand = ''] = args.positionals
    const path = resolve(operand)
    const found = await verifyFile(databaseAt(path))
    if (found === undefined) return failed(output, `there is no store in ${path}`)
    await output.result(args.json ? JSON.stringify({ path, ...found }) : textOf(path, found))
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
    const taken = await backupSqliteStore(store.directory, path)()
    if (E.isLeft(taken)) return failed(output, `no backup was made: ${asError(taken.left.cause).message}`)
    const { bytes, unrecorded } = taken.right
    const effect = `its time could not be recorded in ${store.directory}, so AnimalStoreBackupOld may fire`
    if (unrecorded !== undefined) output.message(`${effect}: ${unrecorded}; back up as the user of the service`)
    await output.result(args.json ? JSON.stringify({ path, bytes }) : `backed up to ${path}, ${bytes} bytes`)
    return DONE
  },
}

export const restore: Command = {
  usage: 'restore BACKUP',
  summary: 'replace the embedded store with the file BACKUP, while the service is stopped',
  run: async (args, { store }, output, clock) => {
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    output.message(`store: ${storeText(store)}`)
    const [path, backup] = [resolve(store.directory), databaseAt(resolve(operand))]
    const refused = (reason: string) => failed(output, `nothing was restored: ${reason}`)
    // compares device and inode, because the backup may be a link to the store
    const [[given], [present]] = [identify(backup), identify(join(path, DATABASE))]
    if (given !== undefined && given === present) return refused(`${backup} is the store itself`)
    const found = await verifyFile(backup)
    if (found === undefined) return refused(`there is no backup in ${backup}`)
    if (found.damaged > 0) return refused(`${backup} is damaged: animal-store verify ${operand} says where`)
    const aside = join(path, `replaced-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`)
    const { restoreSqliteStore } = await import('../../adapters/sqlite/backup/backup.js')
    const restored = await restoreSqliteStore(backup, path, aside)()
    // not `refused`: if the last sync failed, the backup is already in place
    if (E.isLeft(restored)) return failed(output, `the restore failed: ${asError(restored.left.cause).message}`)
    const { hadStore, lastId } = restored.right
    output.message('API keys that were revoked after the backup work again: see animal-store keys list')
    const former = hadStore ? `\nthe former store is in ${aside}` : ''
    const text = `restored ${found.pets} pets to ${path}; the next id is greater than ${lastId}${former}`
    const json = { path, replaced: hadStore ? aside : null, lastId: Number(lastId) }
    await output.result(args.json ? JSON.stringify(json) : text)
    return DONE
  },
}
