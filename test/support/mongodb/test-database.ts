// A MongoDB database for one test file, dropped afterwards.
import { randomUUID } from 'node:crypto'
import { type Db, MongoClient } from 'mongodb'
import { beforeAll } from 'vitest'

export interface TestDatabase {
  /** With the name of the database. */
  readonly uri: string
  /** The database through another client, with int64 as bigint. */
  readonly database: Db
  /** Empties every collection; indexes and validators stay. */
  readonly clear: () => Promise<void>
}

/** The same server, another database. */
const uriWith = (address: string, name: string): string => {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

/** Call it within a suite. */
export const testDatabase = (address: string): TestDatabase => {
  const name = `animal_store_test_${randomUUID().slice(0, 8)}`
  const client = new MongoClient(address)
  const database = client.db(name, { useBigInt64: true })
  beforeAll(() => async () => {
    await database.dropDatabase()
    await client.close()
  })
  return {
    uri: uriWith(address, name),
    database,
    clear: async () => {
      for (const collection of await database.collections()) await collection.deleteMany({})
    },
  }
}
