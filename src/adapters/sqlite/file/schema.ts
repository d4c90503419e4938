// The tables, readable in the `sqlite3` shell: names are texts, and times are milliseconds since 1970.
import { randomUUID } from 'node:crypto'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { type Connection, type Sql, using } from './connection.js'

/** "pets" in ASCII: SQLite's `application_id`, which marks the file as ours. */
const APPLICATION_ID = 0x70657473

/**
 * Each step leads from one version of the schema to the next; SQLite's `user_version` counts those that a file has had.
 * Files with the former steps exist: never change one, append another.
 */
export const STEPS: readonly string[] = [
  `
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
`,
]

/** One statement, so that all values are of one snapshot: another process may be changing the tables. */
const HEADER: Sql<[application: bigint, version: bigint, tables: bigint]> = `
  SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version`

/** The file is not a store, or not of a version that this one knows. */
export class ForeignDatabase extends Error {}

/** The file is a store, but others have changed its tables. */
export class ForeignTables extends Error {}

/** 0 if the file has no tables. Throws if another program or a newer version wrote it. */
const versionOf = ({ first }: Connection, steps = STEPS): number => {
  const [application, version = 0, tables] = first(HEADER)?.map(Number) ?? []
  if (application === APPLICATION_ID) {
    if (version <= steps.length) return version
    throw new ForeignDatabase(
      `it was written by a newer version, with schema ${version}; this version knows schema ${steps.length}`,
    )
  }
  if (application === 0 && version === 0 && tables === 0) return 0
  throw new ForeignDatabase('it is the database of another program')
}

/** The version of the tables. Throws if there are none: a store gets them before its file has its name. */
export const tablesOf = (connection: Connection, steps = STEPS): number => {
  const version = versionOf(connection, steps)
  if (version === 0) throw new Error('it has no tables, as if it was copied without its log: restore a backup')
  return version
}

/** Except SQLite's own objects, and two tables of Litestream, which copies a store while it is in use. */
const OBJECTS: Sql<[object: string, sql: string]> = `
  SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND (type <> 'table' OR name NOT GLOB '_litestream_*')
  UNION ALL
  SELECT 'column ' || t.name || '.' || c.name, c.type FROM sqlite_schema t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_litestream_*'`

/** How the tables, indexes and triggers differ from those of a version; undefined if they do not. */
export const schemaFault = (connection: Connection, version: number, steps = STEPS): string | undefined => {
  const wanted = using(':memory:', { readOnly: false }, ({ exec, all }) => {
    steps.slice(0, version).forEach(exec)
    return new Map(all(OBJECTS))
  })
  const found = new Map(connection.all(OBJECTS))
  const missing = [...wanted.keys()].filter((object) => !found.has(object))
  const foreign = [...found.keys()].filter((object) => !wanted.has(object))
  const faults = [
    ...missing.map((object) => `${object} is missing`),
    ...foreign.map((object) => `${object} is not ours`),
  ]
  // a table with another column also has another definition
  const changed = [...wanted].filter(([object, sql]) => found.has(object) && found.get(object) !== sql)
  const all = faults.length > 0 ? faults : changed.map(([object]) => `${object} has another definition`)
  return all.length === 0 ? undefined : all.join('; ')
}

/** Brings the tables to the newest version in one transaction, which other processes wait for. Needs no statement. */
const upgrade = ({ exec }: Connection, version: number, steps: readonly string[]): void => {
  for (const step of steps.slice(version)) exec(step)
  exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}`)
}

/** Brings the tables up to date. Throws if they are not as expected. */
export const ensureSchema = (connection: Connection, steps = STEPS): void => {
  const version = tablesOf(connection, steps)
  if (version < steps.length)
    // another process may have done so meanwhile
    connection.transaction(() => upgrade(connection, versionOf(connection, steps), steps))
  const fault = schemaFault(connection, steps.length, steps)
  if (fault !== undefined) throw new ForeignTables(`its tables are not those of this version: ${fault}`)
}

/** Creates a store in an empty file. Leaves nothing open: no statement is prepared, because it would outlive the connection. */
export const createStore = (path: string): void =>
  using(path, { readOnly: false }, (connection) => {
    connection.exec('BEGIN')
    upgrade(connection, 0, STEPS)
    connection.exec(`INSERT INTO store VALUES ('${randomUUID()}', 0, NULL); COMMIT; PRAGMA journal_mode = WAL`)
  })
