// The containers that some scenarios need.
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { startMongodb } from '../../test/support/containers/containers.js'

export interface Mongodb {
  /** The address of an empty database. */
  readonly database: () => string
  /** Messages that the server has received so far. */
  readonly messages: () => Promise<number>
}

/** Uses MONGODB_TEST_URI if it is set, else a container; drops the work's databases at the end. */
export const withMongodb = async <A>(work: (mongodb: Mongodb) => Promise<A>): Promise<A> => {
  const given = process.env['MONGODB_TEST_URI']
  const { address, stop } = given ? { address: given, stop: () => Promise.resolve() } : await startMongodb()
  const client = new MongoClient(address)
  const names: string[] = []
  const database = (): string => {
    const name = `animal_store_bench_${randomUUID().slice(0, 8)}`
    names.push(name)
    const url = new URL(address)
    url.pathname = `/${name}`
    return url.href
  }
  const messages = async (): Promise<number> => {
    const { network } = await client.db('admin').command({ serverStatus: 1 })
    return (network as { readonly numRequests: number }).numRequests
  }
  try {
    return await work({ database, messages })
  } finally {
    for (const name of names) await client.db(name).dropDatabase()
    await client.close()
    await stop()
  }
}
