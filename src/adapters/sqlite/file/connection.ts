// A connection to the database file. Rows are arrays; integers are bigints, because those beyond 2^53 must stay exact.
import { DatabaseSync } from '@photostructure/sqlite'
import { memberOf } from '../../../domain/thrown.js'

type Value = null | bigint | number | string | Uint8Array

export type Row = readonly Value[]

/** A statement with the types of its columns, which are those of the tables: they are STRICT. */
export type Sql<R extends Row> = string & { readonly rows?: R }

type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>

export interface Connection {
  readonly exec: (sql: string) => void
  readonly run: (sql: string, ...values: readonly Value[]) => void
  readonly all: <R extends Row>(sql: Sql<R>, ...values: readonly Value[]) => readonly R[]
  readonly first: <R extends Row>(sql: Sql<R>, ...values: readonly Value[]) => R | undefined
  /** An integer setting. */
  readonly pragma: (name: string) => bigint
  readonly isInTransaction: () => boolean
  readonly close: () => void
}

const BUSY = 5

/** Another connection holds a lock. */
export const isBusy = (error: unknown): boolean => (Number(memberOf(error, 'errcode')) & 0xff) === BUSY

const cell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread. */
export const pause = (ms: number): void => void Atomics.wait(cell, 0, 0, ms)

/**
 * Tries again while another connection holds a lock, after 0.2 to 0.6 ms. SQLite's own handler sleeps up to 100 ms and starves whoever
 * waits: p99 137 ms beside a second writer, instead of 25 (measured).
 */
export const unlessBusy = <A>(attempt: () => A, limitMs: number): A => {
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

/** Milliseconds that an opening waits for the locks of other processes, which may be creating the tables or reading the log. */
const OPENING_MS = 2_000

/** What the first statements of a connection are: each may find a lock, whatever it does. */
export const opening = <A>(work: () => A): A => unlessBusy(work, OPENING_MS)

/** Statements are prepared once, and live as long as the connection: one that is left alive would keep its files and locks. */
export const connect = (path: string, { readOnly }: { readonly readOnly: boolean }): Connection => {
  const database = new DatabaseSync(path, { readOnly, timeout: 0, readBigInts: true, returnArrays: true })
  const statements = new Map<string, Statement>()
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const first = <R extends Row>(sql: Sql<R>, ...values: readonly Value[]) =>
    prepared(sql).get(...values) as R | undefined
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => void prepared(sql).run(...values),
    all: <R extends Row>(sql: Sql<R>, ...values: readonly Value[]) => prepared(sql).all(...values) as readonly R[],
    first,
    pragma: (name) => first(`PRAGMA ${name}` as Sql<[bigint]>)?.[0] ?? 0n,
    isInTransaction: () => database.isTransaction,
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

/** Works on a connection, which is closed afterwards. */
export const using = async <A>(
  path: string,
  options: { readonly readOnly: boolean },
  work: (connection: Connection) => A | Promise<A>,
): Promise<A> => {
  const connection = opening(() => connect(path, options))
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}
