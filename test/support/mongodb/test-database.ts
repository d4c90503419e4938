import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { beforeAll } from 'vitest'

/** Call it within a suite. */
export const testDatabase = (address: string) => {
  const name = `animal_store_test_${randomUUID().slice(0, 8)}`
  const client = new MongoClient(address)
  // a separate client, which reads int64 as bigint
  const database = client.db(name, { useBigInt64: true })
  beforeAll(() => async () => {
    await database.dropDatabase()
    await client.close()
  })
  /** Indexes stay. */
  const clear = async (): Promise<void> => {
    for (const collection of await database.collections()) await collection.deleteMany({})
  }
  const uri = new URL(address)
  uri.pathname = `/${name}`
  return { uri: uri.href, database, clear }
}

export const withOptions = (uri: string, options: string): string => `${uri}${uri.includes('?') ? '&' : '?'}${options}`
