// The driver's settings, which override those in the URI: nothing waits forever, and an acknowledged write survives a crash.
import {
  type BSONSerializeOptions,
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoServerSelectionError,
} from 'mongodb'
import { DEADLINES, type Deadlines } from './deadlines.js'
import { type Monitor, type PoolName, whyNotWritable } from './monitor.js'

/** In what the clients of a store differ, and the name of their pool for the metrics. */
interface ClientProfile
  extends Pick<MongoClientOptions, 'socketTimeoutMS' | 'minPoolSize' | 'maxPoolSize' | 'retryReads'> {
  readonly pool: PoolName
}

export const forRequests = ({ operationReplyMs }: Deadlines): ClientProfile => ({
  pool: 'requests',
  socketTimeoutMS: operationReplyMs,
  minPoolSize: 2,
  maxPoolSize: 32,
  retryReads: true,
})

/** For exact counts, which scan an index: two at once, on connections that no other request uses. */
export const forCounts = ({ countReplyMs }: Deadlines): ClientProfile => ({
  pool: 'counts',
  socketTimeoutMS: countReplyMs,
  minPoolSize: 0,
  maxPoolSize: 2,
  retryReads: false,
})

/**
 * For commands that take long, such as building an index. A reply that is lost must not hold up an instance for good, and a
 * repeated command joins an index build that is still under way.
 */
export const MAINTENANCE: ClientProfile = {
  pool: 'maintenance',
  socketTimeoutMS: 600_000,
  minPoolSize: 0,
  maxPoolSize: 2,
  retryReads: true,
}

/** What the decoding of documents relies on. All of them, because the URI may set any; a new one does not compile until it is here. */
const BSON_OPTIONS: Required<BSONSerializeOptions> = {
  // the commands of the driver itself need numbers
  useBigInt64: false,
  promoteLongs: true,
  promoteValues: true,
  promoteBuffers: false,
  bsonRegExp: false,
  fieldsAsRaw: {},
  raw: false,
  enableUtf8Validation: true,
  serializeFunctions: false,
  ignoreUndefined: false,
  checkKeys: false,
}

/**
 * A database on a client of its own, which is not connected yet: some are for work that most processes never do. Throws if the URI
 * is malformed.
 */
export const makeDatabase = (
  uri: string,
  { pool, ...options }: ClientProfile,
  { connectMs, serverMs } = DEADLINES,
  monitor?: Monitor,
) => {
  const client = new MongoClient(uri, {
    appName: 'animal-store',
    ...BSON_OPTIONS,
    // an acknowledged write is in the journal of a majority
    writeConcern: { w: 'majority', journal: true },
    // a read sees everything that was acknowledged before it
    readPreference: 'primary',
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: serverMs,
    waitQueueTimeoutMS: serverMs,
    // detects an outage, and its end, within about a second
    heartbeatFrequencyMS: 500,
    monitorCommands: monitor !== undefined,
    ...options,
  })
  monitor?.(client, pool)
  // int64 becomes a bigint; int32 and double stay numbers
  const database = client.db(undefined, { useBigInt64: true })
  let connecting: Promise<unknown> | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    try {
      await client.connect()
    } catch (error) {
      // after a failed first connect, only close() and connect() revive the client
      await client.close()
      connecting = undefined
      const found = error instanceof MongoServerSelectionError ? error.reason : undefined
      if (found === undefined || found.error !== null) throw error
      throw new Error(whyNotWritable(client, [...found.servers.values()]), { cause: error })
    }
  }

  return {
    client,
    database,
    /** Connects if necessary. Rejects if it cannot; the next call tries again. */
    open: async (): Promise<Db> => {
      if (isClosed) throw new Error('the store is closed')
      connecting ??= connect()
      await connecting
      return database
    },
    close: async (): Promise<void> => {
      isClosed = true
      await client.close()
    },
  }
}

export type Database = ReturnType<typeof makeDatabase>
