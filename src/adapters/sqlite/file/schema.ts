// The tables, readable in the `sqlite3` shell: names are texts, and times are milliseconds since 1970.
import { randomUUID } from 'node:crypto'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { type Connection, type Sql, setUpWriter } from './connection.js'

/** "pets" in ASCII: SQLite's `application_id`, which marks the file as ours. */
const APPLICATION_ID = 0x70657473

/** SQLite's `user_version`: the schema that this version writes, and the newest that it reads. */
const SCHEMA_VERSION = 1

const TABLES = `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${MAX_PET_ID}), name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT,
    event_id TEXT NOT NULL, time INTEGER NOT NULL, traceparent TEXT
  ) STRICT;
  CREATE INDEX pets_by_status ON pets (status) WHERE status IS NOT NULL;
  CREATE TABLE idempotency_keys (
    lineage TEXT NOT NULL, key TEXT NOT NULL, pet_id INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (lineage, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
  CREATE TABLE api_keys (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE store (log_id TEXT NOT NULL, last_id INTEGER NOT NULL, relay TEXT) STRICT;
  CREATE TABLE counts (status TEXT PRIMARY KEY, pets INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER pet_added AFTER INSERT ON pets BEGIN
    INSERT INTO counts VALUES (ifnull(new.status, ''), 1) ON CONFLICT DO UPDATE SET pets = pets + 1;
  END;
  CREATE TRIGGER pet_removed AFTER DELETE ON pets BEGIN
    UPDATE counts SET pets = pets - 1 WHERE status = ifnull(old.status, '');
  END;
`

/** One statement, so that all values are of one snapshot: another process may be creating the tables. */
const HEADER: Sql<[application: bigint, version: bigint, tables: bigint]> = `
  SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version`

/** Whether the file has the tables; a new file has none. Throws if another program or a newer version wrote it. */
export const hasSchema = ({ first }: Connection): boolean => {
  const [application, version, tables] = first(HEADER)?.map(Number) ?? []
  if (application === APPLICATION_ID) {
    if (Number(version) <= SCHEMA_VERSION) return true
    const known = `this version knows schema ${SCHEMA_VERSION}`
    throw new Error(`it was written by a newer version, with schema ${version}; ${known}`)
  }
  if (application === 0 && version === 0 && tables === 0) return false
  throw new Error('it is the database of another program')
}

/** `check` throws if the tables must not be created in this file. */
export const ensureSchema = (connection: Connection, check: () => void): void => {
  const { exec, run, transaction } = connection
  const isReady = hasSchema(connection)
  setUpWriter(connection)
  if (isReady) return
  transaction(() => {
    // another process may have created them meanwhile
    if (hasSchema(connection)) return
    check()
    exec(TABLES)
    run('INSERT INTO store VALUES (?, 0, NULL)', randomUUID())
    exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`)
  })
}
