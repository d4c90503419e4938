// The MongoDB adapter beside the same work at one command a request, as ratios. Needs a server in MONGODB_TEST_URI.
import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { MongoClient } from 'mongodb'
import { type Connection, openConnection } from '../../src/adapters/mongodb/connection.js'
import type { CounterDocument } from '../../src/adapters/mongodb/id-generator.js'
import { decodePet, PET_MEMBERS, type PetDocument, petDocument } from '../../src/adapters/mongodb/pet-document.js'
import { openMongoStore } from '../../src/adapters/mongodb/store.js'
import { Int64 } from '../../src/domain/int64.js'
import { MAX_PET_ID, type NewPet, petFrom } from '../../src/domain/pet.js'
import type { PetRecord } from '../../src/ports/pet-repository.js'
import type { Store } from '../../src/ports/store.js'
import { succeed } from '../../src/testing/outcome.js'

/** Milliseconds of one turn of one subject. */
const TURN = Number(process.env['BENCH_TURN'] ?? 200)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 41)
const CALLERS = [1, 8, 32, 128]
const REX: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' }

const recordOf = (id: bigint): PetRecord => ({
  event: { _tag: 'PetCreated', eventId: randomUUID(), time: Date.now(), pet: petFrom(id, REX) },
  idempotency: O.none,
})

interface Subject {
  readonly create: () => Promise<unknown>
  readonly find: (id: bigint) => Promise<unknown>
}

const grouping = ({ ids, pets }: Store): Subject => ({
  create: async () => succeed(pets.add(recordOf(await succeed(ids.next)))),
  find: (id) => succeed(pets.findById(id)),
})

const rightOf = <A>(decoded: E.Either<unknown, A>): A => {
  if (E.isLeft(decoded)) throw new Error('the benchmark met a damaged document')
  return decoded.right
}

/**
 * findOneAndUpdate and insertOne for each create, findOne for each read: by the adapter's own client and within its time
 * bounds, of the same documents at the same write concerns, and decoding what it reads.
 */
const oneCommandEach = ({ database, run }: Connection): Subject => {
  const pets = database.collection<PetDocument>('pets')
  const counters = database.collection<CounterDocument>('counters')
  const nextId = run(async () => {
    const counter = await counters.findOneAndUpdate(
      { _id: 'pets', last: { $gte: 0n, $lt: MAX_PET_ID } },
      { $inc: { last: 1n } },
      { returnDocument: 'after', writeConcern: { w: 1 } },
    )
    return rightOf(Int64.decode(counter?.last))
  })
  return {
    create: async () => {
      const id = await succeed(nextId)
      return succeed(run(() => pets.insertOne(petDocument(recordOf(id), false))))
    },
    find: (id) =>
      succeed(run(async () => rightOf(decodePet(await pets.findOne({ _id: id }, { projection: PET_MEMBERS }))))),
  }
}

interface Speed {
  /** How often the work was done a second. */
  readonly rate: number
  /** Microseconds of this process's processor time for each. */
  readonly cpu: number
}

/** The speed of so many callers, each of whom waits for its answer. */
const speedOf = async (work: () => Promise<unknown>, callers: number): Promise<Speed> => {
  const cpuBefore = process.cpuUsage()
  const begin = performance.now()
  let done = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - begin < TURN) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const { user, system } = process.cpuUsage(cpuBefore)
  return { rate: (done * 1_000) / (performance.now() - begin), cpu: (user + system) / done }
}

const quartile = (values: readonly number[], quarter: 1 | 2 | 3): number =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length * quarter) / 4)] ?? Number.NaN

const spread = (ratios: readonly number[]): string =>
  `${quartile(ratios, 2).toFixed(2)} [${quartile(ratios, 1).toFixed(2)}-${quartile(ratios, 3).toFixed(2)}]`

const address = process.env['MONGODB_TEST_URI']
if (address === undefined) throw new Error('MONGODB_TEST_URI names no server')
const uri = new URL(address)
uri.pathname = `/animal_store_test_bench_${randomUUID().slice(0, 8)}`
const store = openMongoStore({ uri: uri.href, isRelayed: false, reportDamage: () => {}, notify: () => {} })
const connection = openConnection(
  uri.href,
  () => Promise.resolve(),
  () => {},
)

try {
  const first = await succeed(store.ids.next)
  await succeed(store.pets.add(recordOf(first)))
  const [naive, ours] = [oneCommandEach(connection), grouping(store)]
  const works = {
    create: ({ create }: Subject) => create,
    'by id':
      ({ find }: Subject) =>
      () =>
        find(first),
  }
  process.stdout.write('of one command each: median [quartiles] of the rate, and of the processor time\n')
  for (const [name, workOf] of Object.entries(works)) {
    for (const callers of CALLERS) {
      const rates: number[] = []
      const rateRatios: number[] = []
      const cpuRatios: number[] = []
      for (const subject of [naive, ours]) await speedOf(workOf(subject), callers)
      for (let round = 0; round < ROUNDS; round += 1) {
        // one directly after the other, so that both meet the same machine, and each as often the first
        const early = round % 2 === 0 ? undefined : await speedOf(workOf(ours), callers)
        const peer = await speedOf(workOf(naive), callers)
        const own = early ?? (await speedOf(workOf(ours), callers))
        rates.push(own.rate)
        rateRatios.push(own.rate / peer.rate)
        cpuRatios.push(own.cpu / peer.cpu)
      }
      const figures = `${spread(rateRatios)}, ${spread(cpuRatios)} (${Math.round(quartile(rates, 2))}/s)`
      process.stdout.write(`${name}, ${callers} callers: ${figures}\n`)
    }
  }
} finally {
  const cleaner = new MongoClient(uri.href)
  await cleaner.db().dropDatabase()
  await cleaner.close()
  await connection.close()
  await store.close()
}
