// The tables, and how a query becomes a TaskEither.
import { type Unavailable, unavailable } from 'animal-store'
import * as TE from 'fp-ts/lib/TaskEither.js'
import sqlite, { type Database } from 'node-sqlite3-wasm'

/** A new file or an existing one. Names are bytes of UTF-8: this driver cuts a text at a NUL, as the contract suite found. */
export const openDatabase = (path: string): Database => {
  const database = new sqlite.Database(path)
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS pets (
      id INTEGER PRIMARY KEY, name BLOB NOT NULL, category_id INTEGER NOT NULL, status TEXT,
      time INTEGER NOT NULL, event TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
    CREATE TABLE IF NOT EXISTS idempotency_keys (
      lineage TEXT, key TEXT, pet_id INTEGER NOT NULL REFERENCES pets, expires_at INTEGER NOT NULL,
      PRIMARY KEY (lineage, key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS idempotency_keys_by_pet ON idempotency_keys (pet_id);
    CREATE TABLE IF NOT EXISTS unsent (
      pet_id INTEGER PRIMARY KEY REFERENCES pets, failures INTEGER NOT NULL, due_at INTEGER NOT NULL, parked TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS unsent_by_due ON unsent (due_at, pet_id) WHERE parked IS NULL;
    CREATE TABLE IF NOT EXISTS api_keys (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY) STRICT;
  `)
  return database
}

/** Facts about the whole store: it has a relay, an event was sent. */
export type Mark = 'relayed' | 'sent'

export const setMark = (database: Database, mark: Mark): void => {
  database.run('INSERT OR IGNORE INTO marks VALUES (?)', mark)
}

export const hasMark = (database: Database, mark: Mark): boolean =>
  database.get('SELECT 1 FROM marks WHERE name = ?', mark) != null

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
