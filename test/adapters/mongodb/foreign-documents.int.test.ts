// Damaged documents, and documents of other programs: reported, never served, and hiding no others, in an export either.
import * as O from 'fp-ts/lib/Option.js'
import { type Collection, type Document, ObjectId } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { adding, addTo, petRecord, readAll, recordsIn } from '../../../src/testing/contracts/archive-samples.js'
import { added, everything, fail, held, numbered, record, succeed } from '../../../src/testing/samples.js'
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

  it.each([
    ['pets', { ...good(1), status: 'lost' }],
    ['counters', { _id: 'pets', last: 'seven' }],
    ['apiKeys', { _id: 'k' }],
  ])('has validators that refuse an invalid document in %s', async (collection, document) => {
    await expect(database.collection(collection).insertOne({ ...document } as Document)).rejects.toThrow(
      'Document failed validation',
    )
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
    return documents.insertMany(all, { bypassDocumentValidation: true })
  }

  it.each<readonly [unknown, string]>([
    ['104', '"104"'],
    [0n, '0'],
    [2n ** 53n, '9007199254740992'],
    [Number.NaN, 'NaN'],
    [new ObjectId('65f000000000000000000001'), '65f000000000000000000001'],
    [{ shop: 7n }, '{"shop":7}'],
    [new Date(0), '{"$date":"1970-01-01T00:00:00Z"}'],
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
    const exported = await recordsIn(store.archive)
    expect(exported.filter(({ _tag }) => _tag === 'Pet')).toHaveLength(2)
    expect(exported.filter(({ _tag }) => _tag === 'Damaged')).toStrictEqual([{ _tag: 'Damaged', damage }])
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

  describe('read', () => {
    it('names damaged and foreign documents', async () => {
      const { archive } = openStoreOf(uri)
      await addTo(archive, petRecord(1), petRecord(5))
      const event = { id: 'e', time: new Date(0) }
      await insert(
        'pets',
        { _id: 0n, name: 'x', categoryId: 1n, event },
        { _id: 2n, name: '', categoryId: 1n, event },
        { _id: 3n, name: 'x', categoryId: 1n, event, unsent: { parked: 'no' } },
        { _id: 4n, name: 'x', categoryId: 1n, event, idempotency: { key: 'k', apiKeyId: 'a', turn: 0 } },
        { _id: 'foreign', name: 'x' },
      )
      await insert('apiKeys', { _id: 'bbbbbbbbbbb', scopes: ['root'] })
      const items = await readAll(archive)
      expect(
        items.flatMap((item) => (item._tag === 'Damaged' ? [`${item.damage.record} ${item.damage.id}`] : [])),
      ).toStrictEqual(['API key bbbbbbbbbbb', 'pet 2', 'idempotency key 4', 'pet 0', 'pet "foreign"'])
      const pets = items.flatMap((item) => (item._tag === 'Pet' ? [item.event.pet.id] : []))
      expect(pets).toStrictEqual([1n, 3n, 4n, 5n])
    })
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
