// npx tsx bench/scale/layouts.ts: what a create costs the database if its idempotency key is in the pet's document under a unique
// index, as today, and if it is a document of its own that is written first (ADR 11). The same driver, alternating rounds.
import { randomUUID } from 'node:crypto'
import { type Collection, Long, MongoClient } from 'mongodb'
import { quantile, rounded } from '../method/quantile.js'
import { withMongodb } from '../method/services.js'
import { cell, markdownTable } from '../report/markdown.js'
import { databaseCpuMicros } from './database-cpu.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 8)
/** Creates per round. */
const CREATES = Number(process.env['CREATES'] ?? 640)
const BATCHES = [1, 32] as const
const DURABLE = { w: 'majority', journal: true } as const
const DAY_MS = 86_400_000
const BEST = 0.2

interface Document {
  readonly _id: unknown
}

let last = 0
const pet = () => {
  last += 1
  return {
    _id: Long.fromNumber(last),
    name: 'Rex',
    categoryId: Long.fromNumber(7),
    status: 'available',
    event: { id: randomUUID(), time: new Date() },
  }
}
const keyOf = () => ({ apiKeyId: 'aaaaaaaaaaa', key: randomUUID() })
const expiresAt = () => new Date(Date.now() + DAY_MS)

await withMongodb(async ({ database }) => {
  const client = await MongoClient.connect(database(), { writeConcern: DURABLE, maxPoolSize: 8 })
  const db = client.db()
  const collection = (name: string): Collection<Document> => db.collection<Document>(name)
  const status = { key: { status: 1, _id: -1 }, partialFilterExpression: { status: { $exists: true } } } as const
  const time = { key: { 'event.time': 1, _id: 1 } } as const
  const unique = {
    key: { 'idempotency.apiKeyId': 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  } as const
  const [together, pets, keys] = [collection('together'), collection('pets'), collection('keys')]
  await together.createIndexes([status, time, unique])
  await pets.createIndexes([status, time])
  await keys.createIndexes([{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }])

  const insert = (target: Collection<Document>, documents: readonly Document[]): Promise<unknown> => {
    const [only, ...others] = documents
    return only !== undefined && others.length === 0
      ? target.insertOne(only)
      : target.insertMany([...documents], { ordered: false })
  }
  const many = <A>(count: number, make: () => A): readonly A[] => Array.from({ length: count }, make)

  const layouts = {
    'no key': (count: number) => insert(pets, many(count, pet)),
    'one document': (count: number) =>
      insert(
        together,
        many(count, () => ({ ...pet(), idempotency: { ...keyOf(), turn: 0, expiresAt: expiresAt() } })),
      ),
    'key first, then pet': async (count: number) => {
      const documents = many(count, pet)
      // the key holds the whole pet, so that a retry can roll the create forward
      await insert(
        keys,
        documents.map((document) => ({ _id: keyOf(), pet: document, expiresAt: expiresAt() })),
      )
      await insert(pets, documents)
    },
  }
  const names = Object.keys(layouts) as (keyof typeof layouts)[]

  const rows: (readonly string[])[] = []
  for (const size of BATCHES) {
    const samples = new Map(
      names.map((name) => [name, { client: [] as number[], database: [] as number[], ms: [] as number[] }]),
    )
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const name of names) {
        const before = { client: process.cpuUsage(), database: databaseCpuMicros(), at: performance.now() }
        for (let done = 0; done < CREATES; done += size) await layouts[name](size)
        const { user, system } = process.cpuUsage(before.client)
        // the first round warms up
        if (round < 0) continue
        const found = samples.get(name)
        found?.client.push((user + system) / CREATES)
        found?.database.push((databaseCpuMicros() - before.database) / CREATES)
        found?.ms.push((performance.now() - before.at) / (CREATES / size))
      }
    }
    for (const name of names) {
      const { client: cpu, database: databaseCpu, ms } = samples.get(name) ?? { client: [], database: [], ms: [] }
      rows.push([
        `${name}, ${size} per command`,
        ...[cpu, databaseCpu, ms].map((all) => cell(rounded(quantile(all, BEST)))),
      ])
    }
  }
  await client.close()
  const heads = [
    'layout',
    'CPU µs of the service per create',
    'CPU µs of the database per create',
    'ms per round trip or two',
  ]
  process.stdout.write(`${markdownTable(heads, rows)}\n`)
})
