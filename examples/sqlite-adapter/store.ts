// The storage ports over one file, which several processes on one machine can share.
import type { ArchivedStore, Unavailable } from 'animal-store'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { makeSqliteApiKeyStore } from './api-key-store.js'
import { makeSqliteArchive } from './archive.js'
import { openDatabase, query } from './database.js'
import { makeSqliteEventLog, makeSqliteRelayState } from './event-log.js'
import { makeSqliteIdGenerator } from './id-generator.js'
import { makeSqlitePetRepository } from './pet-repository.js'

/** The file is created if it is missing; `:memory:` is no file. */
export const openSqliteStore = (path: string): TaskEither<Unavailable, ArchivedStore> =>
  query(() => {
    const database = openDatabase(path)
    const from = { storage: Symbol(path) }
    return {
      pets: makeSqlitePetRepository(database, from),
      ids: makeSqliteIdGenerator(database, from),
      apiKeys: makeSqliteApiKeyStore(database),
      log: makeSqliteEventLog(database, from),
      relay: makeSqliteRelayState(database, from),
      archive: makeSqliteArchive(database),
      ping: query(() => void database.get('SELECT 1')),
      close: async () => {
        if (database.isOpen) database.close()
      },
    }
  })
