// Damaged documents, and documents of other programs: reported, never served, and hiding no others, in an export either.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Document } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import {
  added,
  adding,
  addTo,
  everything,
  fail,
  held,
  idsOf,
  numbered,
  petRecord,
  readAll,
  record,
  recordsIn,
  succeed,
} from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'a MongoDB with other writers', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const pets = database.collection<{ _id: unknown }>('pets')
  beforeEach(async () => {
    await succeed(openStoreOf(uri).ping)
    await clear()
  })

  const event = (id: number, time = 1_000) => ({ id: `event-${id}`, time: new Date(time) })
  const write = (...documents: readonly Document[]) =>
    pets.insertMany(
      documents.map(({ _id, ...members }) => ({ _id, ...members })),
      { bypassDocumentValidation: true },
    )
  const good = (id: number): Document => ({ _id: BigInt(id), name: 'x', categoryId: 1n, event: event(id) })
  const pet = (id: number): Pet => ({ id: BigInt(id), name: 'x', categoryId: 1n })

  it('serves the others when the documents are too long for one reply', async () => {
    const long = 'x'.repeat(9_000_000)
    for (const id of [1, 2]) await write({ ...good(id), name: long })
    await write(good(3))
    const store = openStoreOf(uri)
    const found = await Promise.all([1n, 2n, 3n].map((id) => succeed(store.pets.findById(id))))
    expect(found).toStrictEqual([O.none, O.none, O.some(pet(3))])
    expect(store.damages).toMatchObject([{ id: '1' }, { id: '2' }])
  })

  it('fails to find the holder of an idempotency key if that pet is damaged', async () => {
    const store = openStoreOf(uri)
    await succeed(store.pets.add(record(numbered(1), held('a', 'k'))))
    const named = database.collection<{ _id: bigint; name: unknown }>('pets')
    await named.updateOne({ _id: 1n }, { $set: { name: 7 } }, { bypassDocumentValidation: true })
    await fail(store.pets.add(record(numbered(2), held('a', 'k'))))
    await fail(store.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 1_000))
    expect(store.damages).toMatchObject([
      { record: 'pet', id: '1' },
      { record: 'pet', id: '1' },
    ])
    expect(await succeed(store.pets.findById(2n))).toStrictEqual(O.none)
  })

  it('gives an idempotency key to one pet, even after earlier pets of that key were deleted', async () => {
    const store = openStoreOf(uri)
    const at = (id: number, time: number) => store.pets.add(record(numbered(id), held('a', 'k', time + 1_000), time))
    for (const id of [1, 2, 3]) expect(await succeed(at(id, id * 1_000))).toStrictEqual(added(id))
    await database.collection<{ _id: bigint }>('pets').deleteOne({ _id: 1n })
    const results = await Promise.all([4, 5, 6, 7].map((id) => succeed(at(id, 4_000))))
    expect(results.map(({ _tag }) => _tag).sort()).toStrictEqual(['Added', 'KeyTaken', 'KeyTaken', 'KeyTaken'])
    const holder = O.some(numbered(4 + results.findIndex(({ _tag }) => _tag === 'Added')))
    expect(await succeed(store.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 4_001))).toStrictEqual(holder)
    expect(await succeed(at(8, 4_500))).toStrictEqual({ _tag: 'KeyTaken', by: O.toUndefined(holder) })
  })

  it('shows no document whose id is not that of a pet', async () => {
    await write(...['104', 0n, 2n ** 53n, Number.NaN, { shop: 7n }].map((_id) => ({ ...good(1), _id, status: 'sold' })))
    await write(good(1), { ...good(3), status: 'sold' })
    const { pets: found, log, archive } = openStoreOf(uri)
    for (const [status, shown] of [[O.none, [3, 1]] as const, [O.some('sold' as const), [3]] as const]) {
      expect(await idsOf(found, { status })).toStrictEqual(shown)
      expect(await succeed(found.count({ ...everything, status }))).toBe(shown.length)
    }
    expect(await readThrough(log, 3)).toMatchObject([{ pet: { id: 1n } }, { pet: { id: 3n } }])
    expect((await recordsIn(archive)).map(({ _tag }) => _tag)).toStrictEqual(['Pet', 'Pet'])
  })

  it.each([
    ['pets', { ...good(1), status: 'lost' }],
    ['pets', { ...good(1), _id: '104' }],
    ['pets', { ...good(1), _id: 0n }],
    ['pets', { ...good(1), _id: 2n ** 53n }],
    ['counters', { _id: 'pets', last: 'seven' }],
    ['apiKeys', { _id: 'k' }],
  ])('has validators that refuse an invalid document in %s', async (collection, document) => {
    await expect(database.collection(collection).insertOne({ ...document } as Document)).rejects.toThrow(
      'Document failed validation',
    )
  })
})

describeWith('mongodb', 'the archive of MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  beforeEach(() => database.dropDatabase())

  const insert = (name: string, ...documents: readonly Document[]) => {
    const collection: Collection<Document> = database.collection(name)
    // other programs write what the validators refuse
    return collection.insertMany([...documents], { bypassDocumentValidation: true })
  }

  it('names damaged documents', async () => {
    const { archive } = openStoreOf(uri)
    await addTo(archive, petRecord(1), petRecord(5))
    const event = { id: 'e', time: new Date(0) }
    await insert(
      'pets',
      { _id: 2n, name: '', categoryId: 1n, event },
      { _id: 3n, name: 'x', categoryId: 1n, event, unsent: { parked: 'no' } },
      { _id: 4n, name: 'x', categoryId: 1n, event, idempotency: { key: 'k', apiKeyId: 'a', turn: 0 } },
    )
    await insert('apiKeys', { _id: 'bbbbbbbbbbb', scopes: ['root'] })
    const items = await readAll(archive)
    const damaged = items.flatMap((item) => (item._tag === 'Damaged' ? [item.damage] : []))
    expect(damaged.map(({ record: kind, id }) => `${kind} ${id}`)).toStrictEqual([
      'API key bbbbbbbbbbb',
      'pet 2',
      'idempotency key 4',
    ])
    const pets = items.flatMap((item) => (item._tag === 'Pet' ? [item.event.pet.id] : []))
    expect(pets).toStrictEqual([1n, 3n, 4n, 5n])
  })

  it('adds nothing beside what is damaged, and leaves a damaged counter alone', async () => {
    const { archive, pets } = openStoreOf(uri)
    await addTo(archive, petRecord(1))
    await insert('counters', { _id: 'pets', last: 'x' })
    await succeed(adding(archive, [petRecord(1), petRecord(2)], { lastId: O.some(9n) }))
    expect(await database.collection<{ _id: string }>('counters').findOne({ _id: 'pets' })).toMatchObject({ last: 'x' })
    await insert('pets', { _id: 3n, name: '', categoryId: 1n })
    const failure = await fail(adding(archive, [petRecord(3), petRecord(4)]))
    expect(failure).toMatchObject({ at: 0, reason: expect.stringMatching(/^the stored pet 3 is damaged: \/name: /) })
    expect(await succeed(pets.findById(4n))).toStrictEqual(O.none)
  })
})
