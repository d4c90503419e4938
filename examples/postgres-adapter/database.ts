// The tables, and how work on them becomes a TaskEither.
import { type Unavailable, unavailable } from 'animal-store'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pg from 'pg'

export type Row = Readonly<Record<string, unknown>>
export type Run = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/**
 * Names are UTF-8 bytes, because a text of PostgreSQL cannot hold NUL. Every write locks the only row of `store`, so
 * that writes come one after another.
 */
const SCHEMA = `
  CREATE TABLE pets (
    id bigint PRIMARY KEY, name bytea NOT NULL, category_id bigint NOT NULL, status text,
    event_id text NOT NULL, time bigint NOT NULL, traceparent text
  );
  CREATE INDEX pets_by_status ON pets (status, id);
  CREATE TABLE idempotency_keys (
    lineage text, key text, pet_id bigint NOT NULL REFERENCES pets, expires_at bigint NOT NULL, PRIMARY KEY (lineage, key)
  );
  CREATE INDEX idempotency_keys_by_pet ON idempotency_keys (pet_id);
  CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
  CREATE TABLE api_keys (id text PRIMARY KEY, created_at bigint NOT NULL, record text NOT NULL);
  CREATE TABLE store (last_id bigint NOT NULL, log_id text NOT NULL, relay text);
  INSERT INTO store VALUES (0, gen_random_uuid())`

/**
 * Pinned: with less durability, a crash could take back a commit that a reader of the log has seen; with more
 * isolation, a write that waited for a lock would still see the state before, or fail.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on;'

export interface Database {
  /** For statements that need no common snapshot. */
  readonly read: <A>(work: (run: Run) => Promise<A>) => TE.TaskEither<Unavailable, A>
  /** All or nothing, and one write at a time. `work` gets the row of `store`. */
  readonly write: <A>(work: (run: Run, store: Row) => Promise<A>) => TE.TaskEither<Unavailable, A>
  readonly close: () => Promise<void>
}

/** By default, the driver returns an int8 as text. */
const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)

export const openDatabase = async (config: pg.PoolConfig): Promise<Database> => {
  // a hanging server is Unavailable within seconds, and a hanging process holds no lock for longer
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, idle_in_transaction_session_timeout: 5_000 }
  const pool = new pg.Pool({ ...limits, ...config, types: { getTypeParser } })
  // the next call replaces a broken connection; without a listener, the connection would end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const connected = async <A>(work: (run: Run) => Promise<A>): Promise<A> => {
    if (isClosed) throw new Error('the store is closed')
    const client = await pool.connect()
    let isBroken = true
    try {
      const result = await work(async (sql, values = []) => (await client.query<Row>(sql, [...values])).rows)
      isBroken = false
      return result
    } finally {
      // closing the connection rolls its transaction back
      client.release(isBroken)
    }
  }

  /** The one place where an exception becomes a value. */
  const tracked = <A>(work: (run: Run) => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(async () => {
      const call = connected(work)
      running.add(call)
      return call.finally(() => running.delete(call))
    }, unavailable)

  await connected(async (run) => {
    // two processes that open a new database at once would both create the tables
    await run(`${BEGIN} SELECT pg_advisory_xact_lock(7313)`)
    const [found] = await run("SELECT to_regclass('store') AS store")
    // IF NOT EXISTS would wait for running writes and block others
    if (found?.['store'] === null) await run(SCHEMA)
    await run('COMMIT')
  })
  return {
    read: tracked,
    write: (work) =>
      tracked(async (run) => {
        await run(BEGIN)
        const [store = {}] = await run('SELECT * FROM store FOR UPDATE')
        const result = await work(run, store)
        await run('COMMIT')
        return result
      }),
    close: async () => {
      if (isClosed) return
      isClosed = true
      // when the pool ends, it forgets calls that wait for a connection, so they come first
      await Promise.allSettled(running)
      await pool.end()
    },
  }
}
