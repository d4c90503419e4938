// A connection to the database file. Rows are arrays; integers are bigints, to stay exact beyond 2^53.
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { asError, memberOf } from '../../../domain/thrown.js'
import { loadDriver } from './driver.js'

type Value = null | bigint | number | string | Uint8Array

export type Row = readonly Value[]

/** A statement with the types of its columns. SQLite enforces them, because the tables are STRICT. */
export type Sql<R extends Row> = string & { readonly rows?: R }

/** The primary result code of SQLite; the higher bits of extended codes tell its kind. */
const codeOf = (error: unknown): number => Number(memberOf(error, 'errcode')) & 0xff

/** Another connection holds a lock: SQLITE_BUSY. */
export const isBusy = (error: unknown): boolean => codeOf(error) === 5

/** SQLITE_CORRUPT and SQLITE_NOTADB; an error while rows are read has only their text. */
export const isDamage = (error: unknown): boolean =>
  [11, 26].includes(codeOf(error)) ||
  /^(?:database disk image is malformed|file is not a database)$/.test(asError(error).message)

/** SQLite could not open a file or create one beside it: SQLITE_READONLY and SQLITE_CANTOPEN. */
export const isUnopened = (error: unknown): boolean => [8, 14].includes(codeOf(error))

/** Blocks this thread. */
export const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Milliseconds to wait, when opening, for processes that are creating the tables or recovering the log. */
const OPENING_MS = 2_000

/**
 * Retries every 0.2 to 0.6 ms while another connection holds a lock. SQLite's own busy handler sleeps up to 100 ms and
 * starves waiting writers: p99 137 ms with a second writer, instead of 25 (measured).
 */
export const unlessBusy = <A>(attempt: () => A, limitMs = OPENING_MS): A => {
  const end = performance.now() + limitMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      pause(0.2 + 0.4 * Math.random())
    }
  }
}

/** Prepares each statement once. `close` drops them all: a live statement would keep the files and locks. */
export const connect = (path: string, { readOnly }: { readonly readOnly: boolean }) => {
  const { DatabaseSync } = loadDriver()
  // made absolute, because SQLite reads a path that begins with `file:` as a URI
  const file = path === ':memory:' ? path : resolve(path)
  const database = new DatabaseSync(file, { readOnly, timeout: 0, readBigInts: true, returnArrays: true })
  // a read-only container has no place for temporary files
  database.exec('PRAGMA temp_store = MEMORY')
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const first = <R extends Row>(sql: Sql<R>, ...values: Row) => prepared(sql).get(...values) as R | undefined
  const exec = (sql: string): void => database.exec(sql)
  return {
    exec,
    first,
    run: (sql: string, ...values: Row): void => void prepared(sql).run(...values),
    /** Row by row: what comes before an error is kept. */
    each: <R extends Row>(sql: Sql<R>): Iterable<R> => database.prepare(sql).iterate() as Iterable<R>,
    all: <R extends Row>(sql: Sql<R>, ...values: Row) => prepared(sql).all(...values) as readonly R[],
    /** An integer setting. */
    pragma: (name: string): bigint => first(`PRAGMA ${name}` as Sql<[bigint]>)?.[0] ?? 0n,
    /** Commits unless the work throws. Waits up to `limitMs` milliseconds for other writers. */
    transaction: <A>(work: () => A, limitMs?: number): A => {
      unlessBusy(() => exec('BEGIN IMMEDIATE'), limitMs)
      try {
        const result = work()
        exec('COMMIT')
        return result
      } finally {
        if (database.isTransaction) exec('ROLLBACK')
      }
    },
    close: (): void => {
      statements.clear()
      database.close()
    },
  }
}

export type Connection = ReturnType<typeof connect>

export const using = <A>(
  path: string,
  options: { readonly readOnly: boolean },
  work: (connection: Connection) => A,
): A => {
  const connection = connect(path, options)
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

/** Runs a read; an exception becomes `Unavailable`. */
export const read =
  <A>(work: () => A): TaskEither<Unavailable, A> =>
  async () =>
    E.tryCatch(work, unavailable)

/** Makes acknowledged writes durable; each writing connection needs it. */
export const setUpWriter = ({ exec }: Connection): void => {
  exec('PRAGMA journal_mode = WAL')
  exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216')
}
