// The driver's settings, which win over the URI's: nothing waits for ever, and an acknowledged write outlives a crash.
import { MongoClient } from 'mongodb'

/**
 * Milliseconds of silence after which a connection is given up; only this ends an operation that the database took and
 * never answers. (Not `timeoutMS`: it has no effect in this driver.)
 */
const SOCKET_TIMEOUT = 1_500

export interface ClientPatience {
  /** Milliseconds that one command may take; 0: for ever. */
  readonly socketTimeoutMS: number
}

export const IMPATIENT: ClientPatience = { socketTimeoutMS: SOCKET_TIMEOUT }
/** For commands that take long by their nature, such as building an index. */
export const PATIENT: ClientPatience = { socketTimeoutMS: 0 }

/** A client, not connected; a malformed URI throws. */
export const makeClient = (uri: string, { socketTimeoutMS }: ClientPatience): MongoClient =>
  new MongoClient(uri, {
    appName: 'animal-store',
    // acknowledged is what a majority has in its journal
    writeConcern: { w: 'majority', journal: true },
    // a read sees what was answered before it
    readPreference: 'primary',
    maxPoolSize: 32,
    minPoolSize: 2,
    connectTimeoutMS: 1_500,
    serverSelectionTimeoutMS: 3_000,
    socketTimeoutMS,
    waitQueueTimeoutMS: 3_000,
    // a lost database is noticed, and a returned one found, within about a second
    heartbeatFrequencyMS: 500,
  })
