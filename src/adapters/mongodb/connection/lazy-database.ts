// A database on a separate client that connects on first use, for work that most processes never do.
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, MongoClient } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { type ClientProfile, makeClient } from './client.js'
import type { Monitor } from './monitor.js'

export interface LazyDatabase {
  /** Connects if necessary. Rejects if it cannot; the next call tries again. */
  readonly open: Task<Db>
  readonly close: Task<void>
}

/** Does not connect yet. Throws if the URI is malformed. */
export const makeLazyDatabase = (uri: string, profile: ClientProfile, monitor?: Monitor): LazyDatabase => {
  const client = makeClient(uri, profile, monitor)
  let connecting: Promise<MongoClient> | undefined
  let isClosed = false

  const connect = async (): Promise<MongoClient> => {
    try {
      return await client.connect()
    } catch (error) {
      // after a failed first connect, only close() and connect() revive the client
      await client.close()
      connecting = undefined
      throw error
    }
  }

  return {
    open: async () => {
      if (isClosed) throw new Error('the store is closed')
      connecting ??= connect()
      return (await connecting).db(undefined, { useBigInt64: true })
    },
    close: async () => {
      isClosed = true
      await client.close()
    },
  }
}

/** Runs tasks in the database. They fail as `Unavailable` if they reject, or if it cannot be opened. */
export const inDatabaseOf =
  ({ open }: Pick<LazyDatabase, 'open'>) =>
  <A>(task: (database: Db) => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(async () => task(await open()), unavailable)
