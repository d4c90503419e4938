// A connection to the database file. Rows are arrays; integers are bigints, because those beyond 2^53 must stay exact.
import { resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { memberOf } from '../../../domain/thrown.js'

type Value = null | bigint | number | string | Uint8Array

export type Row = readonly Value[]

/** A statement with the types of its columns, which are those of the tables: they are STRICT. */
export type Sql<R extends Row> = string & { readonly rows?: R }

/** Another connection holds a lock: SQLITE_BUSY is 5, and further bits tell its kind. */
export const isBusy = (error: unknown): boolean => (Number(memberOf(error, 'errcode')) & 0xff) === 5

/** Blocks this thread. */
export const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Milliseconds that an opening waits for the locks of other processes, which may be creating the tables or reading the log. */
const OPENING_MS = 2_000

/**
 * Tries again while another connection holds a lock, after 0.2 to 0.6 ms. SQLite's own handler sleeps up to 100 ms and starves whoever
 * waits: p99 137 ms beside a second writer, instead of 25 (measured).
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

/** Statements are prepared once, and live as long as the connection: one that is left alive would keep its files and locks. */
export const connect = (path: string, { readOnly }: { readonly readOnly: boolean }) => {
  // SQLite would read a path that begins with `file:` as a URI, and no absolute one does
  const database = new DatabaseSync(resolve(path), { readOnly, timeout: 0, readBigInts: true, returnArrays: true })
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
    all: <R extends Row>(sql: Sql<R>, ...values: Row) => prepared(sql).all(...values) as readonly R[],
    /** An integer setting. */
    pragma: (name: string): bigint => first(`PRAGMA ${name}` as Sql<[bigint]>)?.[0] ?? 0n,
    /** Commits what the work writes, unless it throws. `limitMs`: how long it waits for other writers. */
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

/** Work on a connection that only reads; one that throws is `Unavailable`. */
export const read =
  <A>(work: () => A): TaskEither<Unavailable, A> =>
  async () =>
    E.tryCatch(work, unavailable)

/** What makes an acknowledged write durable; each connection that writes sets it for itself. */
export const setUpWriter = ({ exec }: Connection): void => {
  exec('PRAGMA journal_mode = WAL')
  exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216')
}
