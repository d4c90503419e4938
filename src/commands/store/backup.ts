// animal-store backup PATH: copies the embedded store to a new file, beside the running service.
// animal-store restore BACKUP: puts a backup in the place of the embedded store, while the service is stopped.

import { join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { loadEmbedded, missingStoreFolder } from '../../composition/configured-adapters.js'
import { type StoreConfig, storeText } from '../../config/config.js'
import { asError } from '../../domain/thrown.js'
import { type Command, DONE, failed } from '../command.js'
import { MEMORY_UNREACHABLE, noStoreIn } from '../store-command.js'
import { verifyPath } from './verify.js'

/** Why copies of the embedded store do not apply to other stores, and what does. */
const UNSUITED: Readonly<Record<Exclude<StoreConfig['_tag'], 'embedded'>, string>> = {
  mongodb:
    'back up and restore STORE=mongodb with the tools of MongoDB, such as mongodump; this command is for STORE=embedded',
  memory: MEMORY_UNREACHABLE,
}

export const backup: Command = {
  usage: 'backup PATH',
  summary: 'copy the embedded store to the new file PATH, also while the service runs',
  operands: 1,
  run: async (args, config, output) => {
    const { store } = config
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    const missing = await missingStoreFolder(config)
    if (missing !== undefined) return failed(output, noStoreIn(missing))
    output.message(`store: ${storeText(store)}`)
    const { backupSqliteStore } = await loadEmbedded(() => import('../../adapters/sqlite/backup/backup.js'))
    const path = resolve(operand)
    const taken = await backupSqliteStore(store.directory, path)()
    if (E.isLeft(taken)) return failed(output, `no backup was made: ${asError(taken.left.cause).message}`)
    const { bytes, unrecorded } = taken.right
    if (unrecorded !== undefined) {
      output.message(
        `its time could not be recorded in ${store.directory}, so AnimalStoreBackupOld may fire: ${unrecorded}; back up as the user of the service`,
      )
    }
    await output.result(args.json ? JSON.stringify({ path, bytes }) : `backed up to ${path}, ${bytes} bytes`)
    return DONE
  },
}

export const restore: Command = {
  usage: 'restore BACKUP',
  summary: 'put the file BACKUP in the place of the embedded store, while the service is stopped',
  operands: 1,
  run: async (args, { store }, output, clock) => {
    const [operand = ''] = args.positionals
    if (store._tag !== 'embedded') return failed(output, UNSUITED[store._tag])
    output.message(`store: ${storeText(store)}`)
    const [path, backup] = [resolve(store.directory), resolve(operand)]
    const refused = (reason: string) => failed(output, `nothing was restored: ${reason}`)
    const found = await verifyPath(backup)
    if (found === undefined) return refused(`there is no backup in ${backup}`)
    if (found.damaged > 0) return refused(`${backup} is damaged: animal-store verify ${operand} says where`)
    const aside = join(path, `replaced-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`)
    const { restoreSqliteStore } = await loadEmbedded(() => import('../../adapters/sqlite/backup/backup.js'))
    const restored = await restoreSqliteStore(backup, path, aside)()
    if (E.isLeft(restored)) return refused(asError(restored.left.cause).message)
    const { hadStore, lastId } = restored.right
    const replaced = hadStore ? aside : null
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
