// The tables, and how a query becomes a TaskEither.
import { type Unavailable, unavailable } from 'animal-store'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Database } from 'node-sqlite3-wasm'

/** A new file, or one of before. Names are bytes of UTF-8: this driver cuts a text at a NUL, as the contract suite found. */
export const openDatabase = (path: string): Database => {
  const database = new Database(path)
  database.exec(`
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS pets (
      id INTEGER PRIMARY KEY, name BLOB NOT NULL, category_id INTEGER NOT NULL, status TEXT,
      event_id TEXT NOT NULL, time INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
    CREATE TABLE IF NOT EXISTS idempotency_keys (
      lineage TEXT, key TEXT, pet_id INTEGER NOT NULL REFERENCES pets, expires_at INTEGER NOT NULL,
      PRIMARY KEY (lineage, key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  `)
  return database
}

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
