// The store is held to the contracts that every store of animal-store keeps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiKeyStoreContract,
  archiveContract,
  idGeneratorContract,
  outboxContract,
  petRepositoryContract,
  sharedStoreContract,
  storeContract,
  succeed,
} from 'animal-store/testing'
import { openDatabase } from './database.js'
import { makeSqliteIdGenerator } from './id-generator.js'
import { openSqliteStore } from './store.js'

const open = (isRelayed = false) => succeed(openSqliteStore({ path: ':memory:', isRelayed, notify: () => {} }))

storeContract('SQLite', open)
petRepositoryContract('SQLite', open)
apiKeyStoreContract('SQLite', open)
outboxContract('SQLite', open)
archiveContract('SQLite', open)

idGeneratorContract('SQLite', async (last) => {
  const database = openDatabase(':memory:')
  if (last > 0n) database.run("INSERT INTO counters VALUES ('pets', ?)", [last])
  return { ids: makeSqliteIdGenerator(database), close: async () => database.close() }
})

sharedStoreContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-store-'))
  const path = join(folder, 'pets.db')
  return {
    open: (settings) => succeed(openSqliteStore({ path, ...settings })),
    close: async () => rmSync(folder, { recursive: true }),
  }
})
