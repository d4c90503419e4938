// Damaged and foreign documents are reported, never served, and do not hide others, not even from an export.
import * as O from 'fp-ts/lib/Option.js'
import { type Document, ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { heldRecord, petRecord, readAll, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { numbersOf } from '../../../src/testing/contracts/event-log-samples.js'
import {
  added,
  anyApiKey,
  everything,
  fail,
  held,
  numbered,
  range,
  record,
  succeed,
} from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { behindProxy } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'a MongoDB with other writers', (address) => {
  const { uri, database, clear } = testDatabase(address)
  beforeEach(async () => {
    await succeed(openStoreOf(uri).ping)
    await clear()
  })

  const event = (id: number) => ({ id: `event-${id}`, time: new Date(1_000) })
  const write = (...documents: readonly Document[]) => database.collection<Document>('pets').insertMany([...documents])
  const good = (id: number): Document => ({ _id: BigInt(id), name: 'x', categoryId: 1n, event: event(id) })
  const pet = (id: number): Pet => ({ id: BigInt(id), name: 'x', categoryId: 1n })

  it.each([1n, 2n])('gives an idempotency key to one pet, even after its earlier pet %s was deleted', async (_id) => {
    const store = openStoreOf(uri)
    const at = (id: number, time: number) => store.pets.add(record(numbered(id), held('a', 'k', time + 1_000), time))
    for (const id of [1, 2, 3]) expect(await succeed(at(id, id * 1_000))).toStrictEqual(added(id))
    await database.collection<{ _id: bigint }>('pets').deleteOne({ _id })
    const results = await Promise.all([4, 5, 6, 7].map((id) => succeed(at(id, 4_000))))
    expect(results.map(({ _tag }) => _tag).sort()).toStrictEqual(['Added', 'KeyTaken', 'KeyTaken', 'KeyTaken'])
    const holder = O.some(numbered(4 + results.findIndex(({ _tag }) => _tag === 'Added')))
    expect(await succeed(store.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 4_001))).toStrictEqual(holder)
    expect(await succeed(at(8, 4_500))).toStrictEqual({ _tag: 'KeyTaken', by: O.toUndefined(holder) })
  })

  /** The store receives each text BROKEN as bytes that are not UTF-8. */
  const openBroken = async () => {
    const broken = Buffer.from('BROKEN')
    const proxied = await behindProxy(uri, () => ({
      request: () => {},
      reply: (bytes) => {
        for (let at = bytes.indexOf(broken); at >= 0; at = bytes.indexOf(broken))
          bytes.fill(0xff, at, at + broken.length)
        return bytes
      },
    }))
    return openStoreOf(proxied.uri)
  }

  it('serves the others when the bytes of one are not UTF-8', async () => {
    await write(good(1), { ...good(2), name: 'BROKEN' }, good(3))
    await database.collection<{ _id: string; last: bigint }>('counters').insertOne({ _id: 'pets', last: 3n })
    const store = await openBroken()
    expect(await succeed(store.pets.findPage(everything))).toStrictEqual({ pets: [pet(3), pet(1)], next: O.none })
    const found = await Promise.all([1n, 2n, 3n].map((id) => succeed(store.pets.findById(id))))
    expect(found).toStrictEqual([O.some(pet(1)), O.none, O.some(pet(3))])
    for (const _ of ['first read', 'known to be final']) {
      const page = await succeed(store.log.read({ after: 0, limit: 10 }))
      expect(page).toMatchObject({ events: [{ pet: pet(1) }, { pet: pet(3) }], damaged: [2], upTo: 3 })
    }
    const { damaged } = await readAll(store.archive)
    expect(damaged.map(({ id }) => id)).toStrictEqual(['2'])
    expect(new Set(store.damages.map(({ id }) => id))).toStrictEqual(new Set(['2']))
  })

  it('finds the holders of other idempotency keys when the bytes of one are not UTF-8', async () => {
    const idempotency = (key: string) => ({ apiKeyId: 'a', key, generation: 0, expiresAt: new Date(9_000) })
    await write({ ...good(1), idempotency: idempotency('one') })
    await write({ ...good(2), name: 'BROKEN', idempotency: idempotency('two') })
    const store = await openBroken()
    const find = (key: string) => store.pets.findByIdempotencyKey({ lineage: 'a', key }, 1_000)
    const [one, two, three] = await Promise.all([succeed(find('one')), fail(find('two')), succeed(find('three'))])
    expect([one, three]).toStrictEqual([O.some(pet(1)), O.none])
    expect(two._tag).toBe('Unavailable')
    const again = (id: number, key: string) => store.pets.add(record(numbered(id), held('a', key, 9_000), 1_000))
    expect(await succeed(again(3, 'one'))).toStrictEqual({ _tag: 'KeyTaken', by: pet(1) })
    await fail(again(4, 'two'))
    // the two creates before have used up their ids
    expect(await succeed(again(2, 'three'))).toStrictEqual(added(5))
    expect(new Set(store.damages.map(({ id }) => id))).toStrictEqual(new Set(['2']))
  })

  it('finds other API keys, and restores beside damage, when the bytes of one are not UTF-8', async () => {
    const before = openStoreOf(uri)
    await succeed(before.apiKeys.add({ ...anyApiKey, id: 'good' }))
    await succeed(before.apiKeys.add({ ...anyApiKey, id: 'bad', name: O.some('BROKEN') }))
    await write({ ...good(1), name: 'BROKEN' })
    const store = await openBroken()
    const found = await Promise.all(['good', 'bad'].map((id) => succeed(store.apiKeys.find(id))))
    expect(found).toStrictEqual([O.some({ ...anyApiKey, id: 'good' }), O.none])
    expect(await succeed(store.apiKeys.list)).toStrictEqual([{ ...anyApiKey, id: 'good' }])
    expect(store.damages.map(({ record, id }) => `${record} ${id}`)).toStrictEqual(['API key bad', 'API key bad'])
    expect(await restoreInto(store.archive, petRecord(1), heldRecord(2))).toStrictEqual(['different', 'added'])
  })
})

describeWith('mongodb', 'a MongoDB with ids that are not those of pets', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const documents = database.collection<{ readonly _id: unknown }>('pets')
  beforeEach(async () => {
    await succeed(openStoreOf(uri).ping)
    await clear()
  })
  const write = (...ids: readonly unknown[]) => {
    const members = { name: 'x', categoryId: 1n, status: 'sold', event: { id: 'e', time: new Date(0) } }
    const all = ids.map((_id) => ({ _id, ...members }))
    return documents.insertMany(all)
  }

  it('reads the log past any number of fractions between two ids', async () => {
    await write(1n, ...range(1, 150).map((at) => 1 + at / 1_000), 2n)
    const page = await succeed(openStoreOf(uri).log.read({ after: 0, limit: 9 }))
    expect([numbersOf(page), page.upTo]).toStrictEqual([[1, 2], 2])
  })

  it.each<readonly [unknown, string]>([
    ['104', '"104"'],
    [new ObjectId('65f000000000000000000001'), '65f000000000000000000001'],
  ])('reports a document with the id %s at a start and in an export, and no reader shows it', async (foreign, id) => {
    await write(1n, foreign, 3n)
    const store = openStoreOf(uri)
    const idsOf = async (query: Partial<typeof everything>) =>
      (await succeed(store.pets.findPage({ ...everything, ...query }))).pets.map((pet) => pet.id)
    expect(await idsOf({})).toStrictEqual([3n, 1n])
    expect(await idsOf({ status: O.some('sold') })).toStrictEqual([3n, 1n])
    expect(await succeed(store.pets.count(everything))).toBe(2)
    expect(await succeed(store.pets.count({ ...everything, status: O.some('sold') }))).toBe(2)
    expect((await succeed(store.log.read({ after: 0, limit: 9 }))).events.map(({ pet }) => pet.id)).not.toContain(
      foreign,
    )
    const damage = { record: 'pet', id, reason: '/_id: must be an integer from 1 to 9007199254740991' }
    expect(store.damages).toStrictEqual([damage])
    const exported = await readAll(store.archive)
    expect(exported).toStrictEqual({ records: [expect.anything(), expect.anything()], damaged: [damage] })
  })
})
