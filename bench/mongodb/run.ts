// The MongoDB adapter beside the same work at one command a request, as ratios. Needs a server in MONGODB_TEST_URI.
import { randomUUID } from 'node:crypto'
import * as O from 'fp-ts/lib/Option.js'
import { type Db, MongoClient } from 'mongodb'
import { type PetDocument, petDocument } from '../../src/adapters/mongodb/pet-document.js'
import { openMongoStore } from '../../src/adapters/mongodb/store.js'
import { type NewPet, petFrom } from '../../src/domain/pet.js'
import type { PetRecord } from '../../src/ports/pet-repository.js'
import { succeed } from '../../src/testing/outcome.js'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const CALLERS = [1, 8, 32, 128]
const REX: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' }

const recordOf = (id: bigint): PetRecord => ({
  event: { eventId: randomUUID(), time: Date.now(), pet: petFrom(id, REX) },
  idempotency: O.none,
})

interface Subject {
  readonly create: () => Promise<unknown>
  readonly find: (id: bigint) => Promise<unknown>
}

/** findOneAndUpdate and insertOne for each create, findOne for each read: same documents, same write concerns. */
const oneCommandEach = (database: Db): Subject => {
  const pets = database.collection<PetDocument>('pets')
  const counters = database.collection<{ readonly _id: string; readonly last: bigint }>('counters')
  return {
    create: async () => {
      const counter = await counters.findOneAndUpdate(
        { _id: 'pets' },
        { $inc: { last: 1n } },
        { returnDocument: 'after', writeConcern: { w: 1 } },
      )
      return pets.insertOne(petDocument(recordOf(counter?.last ?? 0n), false))
    },
    find: (id) => pets.findOne({ _id: id }),
  }
}

/** How often the work was done a second by so many callers, each of whom waits for its answer. */
const rateOf = async (work: () => Promise<unknown>, callers: number): Promise<number> => {
  const begin = performance.now()
  let done = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - begin < SECONDS * 1_000) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (done * 1_000) / (performance.now() - begin)
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const address = process.env['MONGODB_TEST_URI']
if (address === undefined) throw new Error('MONGODB_TEST_URI names no server')
const uri = new URL(address)
uri.pathname = `/animal_store_test_bench_${randomUUID().slice(0, 8)}`
const client = new MongoClient(uri.href, {
  writeConcern: { w: 'majority', journal: true },
  maxPoolSize: 32,
  minPoolSize: 2,
})
const store = openMongoStore({ uri: uri.href, isRelayed: false, reportDamage: () => {} })

try {
  const first = await succeed(store.ids.next)
  await succeed(store.pets.add(recordOf(first)))
  const naive = oneCommandEach(client.db(undefined, { useBigInt64: true }))
  const ours: Subject = {
    create: async () => succeed(store.pets.add(recordOf(await succeed(store.ids.next)))),
    find: (id) => succeed(store.pets.findById(id)),
  }
  const works = {
    create: ({ create }: Subject) => create,
    'by id':
      ({ find }: Subject) =>
      () =>
        find(first),
  }
  for (const [name, workOf] of Object.entries(works)) {
    for (const callers of CALLERS) {
      const ratios: number[] = []
      const rates: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // one directly after the other, so that both meet the same machine
        const peer = await rateOf(workOf(naive), callers)
        const rate = await rateOf(workOf(ours), callers)
        ratios.push(rate / peer)
        rates.push(rate)
      }
      const figures = `${median(ratios).toFixed(2)} of one command each (${Math.round(median(rates))}/s)`
      process.stdout.write(`${name}, ${callers} callers: ${figures}\n`)
    }
  }
} finally {
  await client.db().dropDatabase()
  await client.close()
  await store.close()
}
