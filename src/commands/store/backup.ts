// animal-store backup PATH: copies the embedded store to a new folder, beside the running service.
import * as E from 'fp-ts/lib/Either.js'
import { loadEmbedded, missingStoreFolder } from '../../composition/open-store.js'
import { type StoreConfig, storeText } from '../../config/config.js'
import { type Command, DONE, FAILED, UsageError } from '../command.js'
import { MEMORY_UNREACHABLE, noStoreIn } from './failure.js'

/** Why copies of the embedded store do not apply to other stores, and what does. */
export const UNSUITED: Readonly<Record<Exclude<StoreConfig['_tag'], 'embedded'>, string>> = {
  mongodb:
    'back up and restore STORE=mongodb with the tools of MongoDB, such as mongodump; this command is for STORE=embedded',
  memory: MEMORY_UNREACHABLE,
}

export const backup: Command = {
  usage: 'backup PATH',
  summary: 'copy the embedded store to the new folder PATH, also while the service runs',
  options: {},
  operands: 1,
  run: async (args, config, output) => {
    const { store } = config
    const [path = ''] = args.positionals
    if (path === '') throw new UsageError('PATH: got "", wanted the path of a new folder')
    if (store._tag !== 'embedded') {
      output.message(UNSUITED[store._tag])
      return FAILED
    }
    const missing = await missingStoreFolder(config)
    if (missing !== undefined) {
      output.message(noStoreIn(missing))
      return FAILED
    }
    output.message(`store: ${storeText(store)}`)
    const { backupLmdbStore } = await loadEmbedded(() => import('../../adapters/lmdb/backup.js'))
    const taken = await backupLmdbStore(store.directory, path)()
    if (E.isLeft(taken)) {
      const { cause } = taken.left
      output.message(`no backup was made: ${E.toError(cause).message}`)
      return FAILED
    }
    output.result(
      args.json ? JSON.stringify(taken.right) : `backed up to ${taken.right.path}, ${taken.right.bytes} bytes`,
    )
    return DONE
  },
}
