// animal-store backup PATH: copies the embedded store to a new folder, beside the running service.
// animal-store restore BACKUP: puts a backup in the place of the embedded store, while the service is stopped.

import { join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { loadEmbedded, missingStoreFolder } from '../../composition/open-store.js'
import { type StoreConfig, storeText } from '../../config/config.js'
import { asError } from '../../domain/thrown.js'
import { type Command, DONE, failed } from '../command.js'
import { MEMORY_UNREACHABLE, noStoreIn } from '../store-command.js'
import { withProgress, withProgressInBytes } from './progress.js'
import { identifyInProcess, verifyInProcess } from './verify.js'

/** Why copies of the embedded store do not apply to other stores, and what does. */
const UNSUITED: Readonly<Record<Exclude<StoreConfig['_tag'], 'embedded'>, string>> = {
  mongodb:
    'back up and restore STORE=mongodb with the tools of MongoDB, such as mongodump; this command is for STORE=embedded',
  memory: MEMORY_UNREACHABLE,
}

export const backup: Command = {
  usage: 'backup PATH',
  summary: 'copy the embedded store to the new folder PATH, also while the service runs',
  operands: 1,
  run: async (args, config, output) => {
    const { store } = config
    const [path = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    const missing = await missingStoreFolder(config)
    if (missing !== undefined) return failed(output, noStoreIn(missing))
    output.message(`store: ${storeText(store)}`)
    const { backupLmdbStore } = await loadEmbedded(() => import('../../adapters/lmdb/backup.js'))
    const taken = await withProgressInBytes((advance) => backupLmdbStore(store.directory, path, advance)())
    if (E.isLeft(taken)) return failed(output, `no backup was made: ${asError(taken.left.cause).message}`)
    const { path: folder, bytes, unrecorded } = taken.right
    if (unrecorded !== undefined) {
      output.message(
        `its time could not be recorded in ${store.directory}, so AnimalStoreBackupOld may fire: ${unrecorded}; back up as the user of the service`,
      )
    }
    await output.result(args.json ? JSON.stringify({ path: folder, bytes }) : `backed up to ${folder}, ${bytes} bytes`)
    return DONE
  },
}

/** Ids to skip if the store that was backed up cannot tell which it has given out: more than an embedded store holds. */
const UNKNOWN_IDS = 1_000_000_000n

/** The last id that the restored store must not give out again, if the backup can be read. */
const lastIdOf = async (directory: string, backup: string): Promise<bigint | undefined> => {
  const [present, copy] = await Promise.all([identifyInProcess(directory), identifyInProcess(backup)])
  if (copy === undefined) return undefined
  const drawn = [copy, ...(present === undefined ? [] : [present])].map(({ lastId }) => BigInt(lastId))
  const known = drawn.reduce((most, id) => (id > most ? id : most))
  const isContinued = present?.log !== undefined && present.log === copy.log
  return isContinued ? known : known + UNKNOWN_IDS
}

export const restore: Command = {
  usage: 'restore BACKUP',
  summary: 'put the backup in the folder BACKUP in the place of the embedded store, while the service is stopped',
  operands: 1,
  run: async (args, { store }, output, clock) => {
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    output.message(`store: ${storeText(store)}`)
    const [path, backup] = [resolve(store.directory), resolve(operand)]
    const found = await withProgress('entries', (advance) => verifyInProcess(backup, advance))
    const refused = (reason: string) => failed(output, `nothing was restored: ${reason}`)
    if (typeof found === 'string') return refused(found)
    if (found.damaged > 0) return refused(`${backup} is damaged: animal-store verify ${operand} says where`)
    const lastId = await lastIdOf(path, backup)
    if (lastId === undefined) return refused(`the ids of ${backup} cannot be read`)
    const aside = join(path, `replaced-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`)
    const { restoreLmdbStore } = await loadEmbedded(() => import('../../adapters/lmdb/backup.js'))
    const restored = await withProgressInBytes((advance) => restoreLmdbStore(backup, path, lastId, aside, advance)())
    if (E.isLeft(restored)) return refused(asError(restored.left.cause).message)
    const replaced = restored.right ? aside : null
    output.message('API keys that were revoked after the backup work again: see animal-store keys list')
    await output.result(
      args.json
        ? JSON.stringify({ path, replaced, lastId: Number(lastId) })
        : [
            `restored ${found.pets} pets to ${path}; the next id is greater than ${lastId}`,
            ...(replaced === null ? [] : [`the former store is in ${replaced}`]),
          ].join('\n'),
    )
    return DONE
  },
}
