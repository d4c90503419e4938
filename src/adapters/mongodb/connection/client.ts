// The driver's settings, which win over the URI's: nothing waits for ever, and an acknowledged write outlives a crash.
import { MongoClient } from 'mongodb'

export interface ClientProfile {
  /** Silence after which a connection is closed, in milliseconds; 0: never. */
  readonly socketTimeoutMs: number
  readonly minPoolSize: number
  readonly maxPoolSize: number
  /** Whether the driver repeats a read whose connection broke or timed out. */
  readonly retriesReads: boolean
}

/** For requests. Only the socket timeout ends a command that the database accepted and never answers (`timeoutMS` does not). */
export const REQUESTS: ClientProfile = { socketTimeoutMs: 1_500, minPoolSize: 2, maxPoolSize: 32, retriesReads: true }
/** For exact counts, which read an index from end to end: two at once, on connections that no other request waits for. */
export const COUNTS: ClientProfile = { socketTimeoutMs: 4_000, minPoolSize: 0, maxPoolSize: 2, retriesReads: false }
/** For commands that take long by their nature, such as building an index. */
export const MAINTENANCE: ClientProfile = { socketTimeoutMs: 0, minPoolSize: 0, maxPoolSize: 2, retriesReads: true }

/** A client, not connected; a malformed URI throws. */
export const makeClient = (uri: string, profile: ClientProfile): MongoClient =>
  new MongoClient(uri, {
    appName: 'animal-store',
    // acknowledged means: in the journal of a majority
    writeConcern: { w: 'majority', journal: true },
    // a read sees everything that was acknowledged before it
    readPreference: 'primary',
    retryReads: profile.retriesReads,
    maxPoolSize: profile.maxPoolSize,
    minPoolSize: profile.minPoolSize,
    connectTimeoutMS: 1_500,
    serverSelectionTimeoutMS: 3_000,
    socketTimeoutMS: profile.socketTimeoutMs,
    waitQueueTimeoutMS: 3_000,
    // an outage, and its end, is noticed within about a second
    heartbeatFrequencyMS: 500,
  })
