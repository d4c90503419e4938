// The peer of the embedded store: one synced SQLite insert per request.
import Database from 'better-sqlite3'
import { serve } from './store-peer.js'

const database = new Database(process.env['SQLITE_FILE'])
// the faster of SQLite's two journals that sync each commit
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, category INTEGER, status TEXT)')
database.exec('CREATE INDEX by_status ON pets (status, id)')
const insert = database.prepare('INSERT INTO pets (name, category, status) VALUES (?, ?, ?)')

serve({
  add: ({ name, categoryId, status }) => {
    const { lastInsertRowid } = insert.run(name, categoryId, status ?? null)
    const id = Number(lastInsertRowid)
    return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
  },
  find: () => Promise.resolve(undefined),
})
