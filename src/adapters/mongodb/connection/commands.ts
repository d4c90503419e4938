// Commands to the database: durable reads, bare writes, and repetition after transient errors.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BSON,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type FindOptions,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
} from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'

/** "E11000 duplicate key error" of any unique index: the only server error that a store expects. */
const DUPLICATE_KEY = 11_000

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

/** For `catch`: returns `instead(error)` if a unique index refused the write, and rethrows any other error. */
export const ifDuplicateKey =
  <A>(instead: (error: MongoServerError) => A) =>
  (error: unknown): A => {
    if (!isDuplicateKey(error)) throw error
    return instead(error)
  }

/**
 * For reads that check whether an insert happened or who holds an idempotency key: shows no pet that a failover could
 * remove. If it misses one, the unique index refuses the next insert, and its error waits until a read can find it.
 */
export const DURABLE_READ = { readConcern: 'majority' } as const

const deserialize = (bytes: Uint8Array): unknown => {
  try {
    return BSON.deserialize(bytes, { useBigInt64: true })
  } catch {
    // not UTF-8: keeps only these members, so that no decoder of a whole record accepts the document
    const document = BSON.deserialize(bytes, { useBigInt64: true, validation: { utf8: false } })
    const { _id, idempotency } = document as { readonly _id: unknown; readonly idempotency?: unknown }
    return { _id, ...(idempotency !== undefined && { idempotency }) }
  }
}

/** Finds documents. One that is not UTF-8 fails the driver's whole read, which is then repeated with raw documents. */
export const readDocuments = async <D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  options: FindOptions,
): Promise<readonly D[]> => {
  try {
    return await collection.find<D>(filter, options).toArray()
  } catch (error) {
    if (!(error instanceof BSON.BSONError)) throw error
    const all: readonly unknown[] = await collection.find(filter, { ...options, raw: true }).toArray()
    return all.map((bytes) => (bytes instanceof Uint8Array ? deserialize(bytes) : bytes) as D)
  }
}

/** Removes client data from an error: in braces, servers quote the refused command (code 13) or a duplicate value. */
const withoutQuotes = (error: unknown): unknown => {
  if (!(error instanceof MongoServerError)) return error
  const { code, message } = error
  return new MongoServerError({ code, message: message.replace(/ ?\{.*/s, '') })
}

/** The failure of a call; its cause is safe to log. */
export const failedCall = (error: unknown): Unavailable => unavailable(withoutQuotes(error))

interface WriteReply {
  readonly writeErrors?: readonly { readonly index: number; readonly errmsg: string }[]
}

// a bare command, because the driver's bulk operations make a network error look like a refused statement
/**
 * Runs an insert, update or delete. Returns the errors of refused statements by index. Throws if a majority has not
 * acknowledged the others, because a crash may undo them.
 */
export const runWrite = async (database: Db, command: Document): Promise<ReadonlyMap<number, MongoServerError>> => {
  const reply: WriteReply = await database.command({
    ...command,
    ordered: false,
    writeConcern: { w: 'majority', j: true },
  })
  return new Map((reply.writeErrors ?? []).map((error) => [error.index, new MongoServerError({ ...error })]))
}

/** Like `runWrite`, but returns the indexes of statements that a unique index refused, and throws any other error. */
export const writeUnlessTaken = async (database: Db, command: Document): Promise<ReadonlySet<number>> => {
  const errors = await runWrite(database, command)
  for (const error of errors.values()) if (error.code !== DUPLICATE_KEY) throw error
  return new Set(errors.keys())
}

/** Pause before each repetition, because operations fail immediately while the network is down. */
const PAUSE_MS = 25

/** The server shuts down or is no longer the primary (MongoDB specification "Retryable Reads"). */
const STEPPED_DOWN = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436])

/** Time limit for the repetitions of one command in a task without an overall limit. */
const REPEAT_MS = 10_000

const isTransient = (error: unknown): boolean =>
  (error instanceof MongoNetworkError && !(error instanceof MongoNetworkTimeoutError)) ||
  (error instanceof MongoServerError && STEPPED_DOWN.has(error.code))

/** Repeats an idempotent operation while time is left, but not after a timeout, so as not to load a slow database. */
export const repeatTransient = async <A>(operation: () => Promise<A>, timeoutMs = REPEAT_MS): Promise<A> => {
  const end = performance.now() + timeoutMs - PAUSE_MS
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!isTransient(error) || performance.now() >= end) throw error
      await sleep(PAUSE_MS)
    }
  }
}
