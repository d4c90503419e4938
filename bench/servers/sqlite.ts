// The peer of the embedded store: one synced SQLite insert per request.
import Database from 'better-sqlite3'
import { petOf } from './pets.js'
import { serve } from './store-peer.js'

const database = new Database(process.env['SQLITE_FILE'])
// The faster of SQLite's two journals that sync each commit
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, category INTEGER, status TEXT)')
database.exec('CREATE INDEX by_status ON pets (status, id)')
const insert = database.prepare('INSERT INTO pets (name, category, status) VALUES (?, ?, ?)')

serve({
  add: (newPet) => {
    const { name, categoryId, status = null } = newPet
    return petOf(Number(insert.run(name, categoryId, status).lastInsertRowid), newPet)
  },
  find: () => Promise.resolve(undefined),
})
