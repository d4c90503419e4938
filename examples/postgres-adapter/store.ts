// The storage ports over one database that any number of processes can share.
import { type ArchivedStore, type ReportDamage, type Unavailable, unavailable } from 'animal-store'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PoolConfig } from 'pg'
import { makeApiKeys } from './api-keys.js'
import { makeArchive } from './archive.js'
import { openDatabase } from './database.js'
import { makeIds, makeLog, makeRelayState } from './log.js'
import { makePets } from './pets.js'

/** Creates the tables if the database is empty. */
export const openPostgresStore = (
  config: PoolConfig,
  report: ReportDamage = () => {},
): TE.TaskEither<Unavailable, ArchivedStore> =>
  TE.tryCatch(async () => {
    const database = await openDatabase(config)
    const from = { storage: Symbol('PostgreSQL') }
    return {
      pets: makePets(database, from, report),
      ids: makeIds(database, from),
      apiKeys: makeApiKeys(database, report),
      log: makeLog(database, from),
      relay: makeRelayState(database, from),
      archive: makeArchive(database),
      ping: database.read(async (run) => void (await run('SELECT FROM store'))),
      close: database.close,
    }
  }, unavailable)
