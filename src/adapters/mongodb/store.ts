// The MongoDB store, which several instances can share. It starts without its database and recovers from outages.
import { setTimeout as sleep } from 'node:timers/promises'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { Notify, ReportDamage } from '../../ports/notice.js'
import type { StoreObserver } from '../../ports/observer.js'
import type { ArchivedStore } from '../../ports/store.js'
import { makeMongoApiKeyStore } from './api-key-store.js'
import { makeMongoArchive } from './archive.js'
import { dedupe, type SharedLimit } from './batch.js'
import { DEADLINES, type Deadlines, makeDatabase, openConnection, type StoreContext } from './connection/connection.js'
import { measureClients, type PoolName } from './connection/monitor.js'
import { unreachablePets } from './documents.js'
import { makeIdCounter, makeIdDrawing } from './id-counter.js'
import { makeMongoEventLog, makeMongoRelayState } from './log/event-log.js'
import { tellsDurability } from './log/final-numbers.js'
import { CREATE_TIMEOUT_MS } from './log/gaps.js'
import { makeMongoPetRepository } from './pets/pet-repository.js'
import { makeEnsure } from './schema.js'

/** Limit for closing: a frozen database would delay the exit of the process by up to 5 s (measured). */
const CLOSE_TIMEOUT_MS = 1_000

/** Unreachable documents reported at startup; an export reports all. */
const MAX_REPORTED = 100

const NO_FEED = 'the feed of events will be unavailable'
const NO_PROCESS_ID = 'the database neither is a replica set nor tells when it restarts (hello has no topologyVersion)'

export interface MongoStoreSettings {
  /** A connection string with the name of the database. Its write concern and timeouts are overridden. */
  readonly uri: string
  readonly reportDamage: ReportDamage
  /** Receives a notice when the database is lost and when it is back. */
  readonly notify: Notify
  /** Receives the measurements of the store; absent: nothing is measured, and the driver emits no events. */
  readonly observer?: StoreObserver | undefined
}

/** Throws if the URI is malformed. `createTimeoutMs`: how long the log waits for creates. Only tests change the times. */
export const makeMongoStore = (
  { uri, reportDamage, notify, observer }: MongoStoreSettings,
  createTimeoutMs = CREATE_TIMEOUT_MS,
  deadlines: Deadlines = DEADLINES,
): ArchivedStore => {
  const databaseFor = (pool: PoolName) => makeDatabase(uri, pool, deadlines, observer !== undefined)
  const [requests, counts, maintenance] = [databaseFor('requests'), databaseFor('counts'), databaseFor('maintenance')]
  if (observer !== undefined) measureClients(observer, { requests, counts, maintenance })
  const ensureIndexes = makeEnsure(maintenance, notify)
  const prepare = async (opened: Db): Promise<void> => {
    await ensureIndexes()
    // after a restore the counter may be behind; creates would then try the ids of stored pets one by one
    await counter.raiseAboveStoredIds()
    // reported here, because no later read finds them
    for (const damage of await unreachablePets(opened, MAX_REPORTED)) reportDamage(damage)
    // last, and so once: preparing is repeated until it succeeds
    if (!(await tellsDurability(opened)))
      notify({ level: 'error', message: NO_FEED, details: { reason: NO_PROCESS_ID } })
  }
  const { database, run, close } = openConnection(requests, prepare, notify, deadlines)
  const context: StoreContext = {
    database,
    run,
    reportDamage,
    deadlines,
    batching: (operation) => ({
      timeoutMs: deadlines.operationMs,
      observe: observer && ((calls) => observer.batch(operation, calls)),
    }),
    storage: Symbol('MongoDB'),
  }
  const counter = makeIdCounter(context)
  const inserts: SharedLimit = { inFlight: 0, resume: [] }
  const draw = makeIdDrawing(context, counter, inserts)
  // one at a time for all callers, because anyone can request a ping
  const pong = () => database.command({ ping: 1 }).then(() => {})
  const ping = dedupe(() => '', pong, { concurrency: 1, ...context.batching('ping') })
  return {
    pets: makeMongoPetRepository(context, counts, counter, draw, inserts),
    ids: { storage: context.storage, next: run(draw) },
    apiKeys: makeMongoApiKeyStore(context),
    log: makeMongoEventLog(context, counter, createTimeoutMs),
    relay: makeMongoRelayState(context),
    archive: makeMongoArchive(maintenance, ensureIndexes, reportDamage),
    ping: run(() => ping(undefined)),
    close: async () => {
      const closed = Promise.all([close(), counts.close(), maintenance.close()])
      await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Opens the store in the background: the database need not be reachable. `Unavailable` only if the URI is malformed. */
export const openMongoStore = (settings: MongoStoreSettings): TaskEither<Unavailable, ArchivedStore> =>
  tryCatch(async () => makeMongoStore(settings), unavailable)
