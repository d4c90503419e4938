// The tables, and how a query becomes a TaskEither.
import { type Unavailable, unavailable } from 'animal-store'
import * as TE from 'fp-ts/lib/TaskEither.js'
import sqlite, { type Database } from 'node-sqlite3-wasm'

/**
 * A new file or an existing one. Names are bytes of UTF-8: this driver cuts a text at a NUL, as the contract suite found. With less than
 * EXTRA, a power loss could take back a commit that a reader of the log has seen.
 */
export const openDatabase = (path: string): Database => {
  const database = new sqlite.Database(path)
  database.exec(`
    PRAGMA synchronous = EXTRA;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS pets (
      id INTEGER PRIMARY KEY, name BLOB NOT NULL, category_id INTEGER NOT NULL, status TEXT, event TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
    CREATE TABLE IF NOT EXISTS idempotency_keys (
      lineage TEXT, key TEXT, pet_id INTEGER NOT NULL REFERENCES pets, expires_at INTEGER NOT NULL,
      PRIMARY KEY (lineage, key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS idempotency_keys_by_pet ON idempotency_keys (pet_id);
    CREATE TABLE IF NOT EXISTS api_keys (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT OR IGNORE INTO facts VALUES ('log', lower(hex(randomblob(16))));
  `)
  return database
}

/** Facts about the whole store: the id of its log, the record of its relay. */
export const factOf = (database: Database, name: 'log' | 'relay'): string | undefined => {
  const value = database.get('SELECT value FROM facts WHERE name = ?', name)?.['value']
  return value == null ? undefined : String(value)
}

/** The highest id of a pet; 0 if there is none. */
export const lastId = (database: Database): number =>
  Number(database.get('SELECT coalesce(max(id), 0) AS id FROM pets')?.['id'])

/** The last id that was drawn or is stored: a counter that was lost begins above the stored pets. */
export const lastDrawnId = (database: Database): number =>
  Math.max(lastId(database), Number(database.get("SELECT last FROM counters WHERE name = 'pets'")?.['last'] ?? 0))

/** The one place where an exception becomes a value. */
export const query = <A>(run: () => A): TE.TaskEither<Unavailable, A> => TE.tryCatch(async () => run(), unavailable)

/** All of it or nothing. */
export const transaction = <A>(database: Database, run: () => A): TE.TaskEither<Unavailable, A> =>
  query(() => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = run()
      database.exec('COMMIT')
      return result
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK')
    }
  })
