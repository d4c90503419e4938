// The storage ports over one file, which several processes on one machine can share.
import type { Unavailable } from 'animal-store'
import type { ArchivedStore, Notify } from 'animal-store/ports'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { makeSqliteApiKeyStore } from './api-key-store.js'
import { makeSqliteArchive } from './archive.js'
import { hasMark, openDatabase, query, setMark } from './database.js'
import { makeSqliteIdGenerator } from './id-generator.js'
import { makeSqliteOutbox } from './outbox.js'
import { makeSqlitePetRepository } from './pet-repository.js'

export interface SqliteStoreSettings {
  /** Created if it is missing; `:memory:` is no file. */
  readonly path: string
  /** Whether this process relays events. Once any process does, all of them queue events. */
  readonly isRelayed: boolean
  readonly notify: Notify
}

export const openSqliteStore = ({
  path,
  isRelayed,
  notify,
}: SqliteStoreSettings): TaskEither<Unavailable, ArchivedStore> =>
  query(() => {
    const database = openDatabase(path)
    if (isRelayed) setMark(database, 'relayed')
    let isNoticed = isRelayed
    const isQueued = (): boolean => {
      const isMarked = isRelayed || hasMark(database, 'relayed')
      if (isMarked && !isNoticed) {
        const message = 'EVENTS_URL is not set: new events wait until a process that has it sends them'
        notify({ level: 'warn', message, details: {} })
        isNoticed = true
      }
      return isMarked
    }
    return {
      pets: makeSqlitePetRepository(database, isQueued),
      ids: makeSqliteIdGenerator(database),
      apiKeys: makeSqliteApiKeyStore(database),
      outbox: makeSqliteOutbox(database),
      archive: makeSqliteArchive(database),
      ping: query(() => void database.get('SELECT 1')),
      close: async () => {
        if (database.isOpen) database.close()
      },
    }
  })
