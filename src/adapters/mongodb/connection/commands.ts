// Commands to the database: reads that a failover keeps, bare writes, and repetition after transient errors.
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

/** "E11000 duplicate key error", for any unique index: the only server error that a store expects. */
const DUPLICATE_KEY = 11_000

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

/** For `catch`: what to return if a unique index refused the write. Throws any other error. */
export const ifDuplicateKey =
  <A>(instead: (error: MongoServerError) => A) =>
  (error: unknown): A => {
    if (!isDuplicateKey(error)) throw error
    return instead(error)
  }

/**
 * For reads that find out whether an insert took place, or which pet holds an idempotency key: shows no pet that a failover would remove.
 * If it misses one, the unique index refuses the following insert, whose error waits for a majority, and the next read finds that pet.
 */
export const DURABLE_READ = { readConcern: 'majority' } as const

const deserialize = (bytes: Uint8Array): unknown => {
  try {
    return BSON.deserialize(bytes, { useBigInt64: true })
  } catch {
    // bytes that are not UTF-8: of its members only the idempotency key, so that no decoder of a whole record accepts it
    const document = BSON.deserialize(bytes, { useBigInt64: true, validation: { utf8: false } })
    const { _id, idempotency } = document as { readonly _id: unknown; readonly idempotency?: unknown }
    return { _id, ...(idempotency !== undefined && { idempotency }) }
  }
}

/** Finds documents. If one holds bytes that are not UTF-8, the driver fails the whole read; it is then repeated document by document. */
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

/** The error without what clients have sent: in braces, the server quotes the command that it refuses (code 13), and a value that is there already. */
const withoutQuotes = (error: unknown): unknown => {
  if (!(error instanceof MongoServerError)) return error
  const { code, message } = error
  return new MongoServerError({ code, message: message.replace(/ ?\{.*/s, '') })
}

/** The failure of a call, whose cause may be logged. */
export const failedCall = (error: unknown): Unavailable => unavailable(withoutQuotes(error))

interface WriteReply {
  readonly writeErrors?: readonly { readonly index: number; readonly errmsg: string }[]
}

// a bare command: the driver's bulk operations wrap a network error into one that looks like a refused statement
/**
 * Runs an insert, update or delete; returns the errors of the statements that the server refused, by their index. The driver throws if a majority
 * has not acknowledged the others: a crash may undo them.
 */
export const runWrite = async (database: Db, command: Document): Promise<ReadonlyMap<number, MongoServerError>> => {
  const reply: WriteReply = await database.command({
    ...command,
    ordered: false,
    writeConcern: { w: 'majority', j: true },
  })
  return new Map((reply.writeErrors ?? []).map((error) => [error.index, new MongoServerError({ ...error })]))
}

/** Runs such a command; returns the indexes of the statements that a unique index refused, and throws any other error. */
export const writeUnlessTaken = async (database: Db, command: Document): Promise<ReadonlySet<number>> => {
  const errors = await runWrite(database, command)
  for (const error of errors.values()) if (error.code !== DUPLICATE_KEY) throw error
  return new Set(errors.keys())
}

/** Before an operation is repeated, because a network that is down fails immediately. */
const PAUSE_MS = 25

/** The server is shutting down or no longer the primary; another takes over (MongoDB specification "Retryable Reads"). */
const STEPPED_DOWN = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436])

/** For one command of a task that has no time limit as a whole. */
const REPEAT_MS = 10_000

const isTransient = (error: unknown): boolean =>
  (error instanceof MongoNetworkError && !(error instanceof MongoNetworkTimeoutError)) ||
  (error instanceof MongoServerError && STEPPED_DOWN.has(error.code))

/** Repeats an operation, which must be safe to repeat, while time is left; not after a timeout, to add no load to a slow database. */
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
