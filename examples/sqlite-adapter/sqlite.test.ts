// The store is held to the contracts that every store of animal-store keeps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiKeyStoreContract,
  archiveContract,
  eventLogContract,
  idGeneratorContract,
  petRepositoryContract,
  relayStateContract,
  sharedStoreContract,
  storeContract,
  succeed,
} from 'animal-store/testing'
import { openDatabase } from './database.js'
import { makeSqliteIdGenerator } from './id-generator.js'
import { openSqliteStore } from './store.js'

const open = () => succeed(openSqliteStore(':memory:'))

const place = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-store-'))
  return {
    open: () => succeed(openSqliteStore(join(folder, 'pets.db'))),
    close: async () => rmSync(folder, { recursive: true }),
  }
}

const openTwo = async () => {
  const file = place()
  const [one, other] = [await file.open(), await file.open()] as const
  const close = async () => {
    await one.close()
    await other.close()
    await file.close()
  }
  return { stores: [one, other] as const, relays: [one.relay, other.relay] as const, close }
}

storeContract('SQLite', open)
petRepositoryContract('SQLite', open)
apiKeyStoreContract('SQLite', open)
archiveContract('SQLite', open)

idGeneratorContract('SQLite', async (last) => {
  const database = openDatabase(':memory:')
  if (last > 0n) database.run("INSERT INTO counters VALUES ('pets', ?)", [last])
  return { ids: makeSqliteIdGenerator(database, { storage: Symbol('SQLite') }), close: async () => database.close() }
})

sharedStoreContract('SQLite', async () => place())
eventLogContract('SQLite', openTwo, { runs: 10 })
relayStateContract('SQLite', openTwo)
