// A database over a client of its own that connects when it is first used, for work that most processes never do.
import type { Task } from 'fp-ts/lib/Task.js'
import type { Db, MongoClient } from 'mongodb'
import { type ClientProfile, makeClient } from './client.js'

export interface LazyDatabase {
  /** Connects unless it is connected; rejects if it cannot, and tries again at the next call. */
  readonly open: Task<Db>
  readonly close: Task<void>
}

/** Not connected yet; a malformed URI throws. */
export const makeLazyDatabase = (uri: string, profile: ClientProfile): LazyDatabase => {
  const client = makeClient(uri, profile)
  let connecting: Promise<MongoClient> | undefined
  let isClosed = false

  const connect = async (): Promise<MongoClient> => {
    try {
      return await client.connect()
    } catch (error) {
      // only close() and connect() revive a client whose first connect failed
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
