// Damaged documents, and documents of other programs: reported, never served, and hiding no others.
import * as O from 'fp-ts/lib/Option.js'
import type { Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { listPets } from '../../../src/domain/pets/find-pets.js'
import type { Pet } from '../../../src/domain/pets/pet.js'
import type { PetQuery } from '../../../src/domain/pets/pet-query.js'
import { added, everything, fail, held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'a MongoDB with other writers', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const pets = database.collection<{ _id: unknown }>('pets')
  const keys = database.collection<{ _id: unknown }>('apiKeys')
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

  it('serves a pet with int32, int64 and double numbers, and drops unknown members', async () => {
    await write({ _id: 1, name: 'x', categoryId: 1, event: event(1), colour: 'brown', unsent: { parked: 'no' } })
    await write({ ...good(2), categoryId: 1.0 })
    const store = openStoreOf(uri)
    expect(await succeed(store.pets.findPage(everything))).toStrictEqual({ pets: [pet(2), pet(1)], next: O.none })
    expect(await succeed(store.pets.findById(1n))).toStrictEqual(O.some(pet(1)))
    expect(store.damages).toStrictEqual([])
  })

  it.each<readonly [string, Document, string]>([
    ['without a name', { _id: 2n, categoryId: 1n, event: event(2) }, '/name: is required'],
    ['with a fraction for a category', { ...good(2), categoryId: 1.5 }, '/categoryId: must be an integer'],
    ['with an unknown status', { ...good(2), status: 'lost' }, '/status: must be one of available, pending, sold'],
    ['with a null status', { ...good(2), status: null }, '/status: must be one of'],
    ['with an empty name', { ...good(2), name: '' }, '/name: must have 1 to 256 characters'],
  ])('reports a pet %s, and serves the others', async (_, damaged, reason) => {
    await write(good(1), damaged, good(3))
    const store = openStoreOf(uri)
    expect(await succeed(store.pets.findPage(everything))).toStrictEqual({ pets: [pet(3), pet(1)], next: O.none })
    expect(await succeed(store.pets.findById(2n))).toStrictEqual(O.none)
    expect(store.damages).toHaveLength(2)
    expect(store.damages[0]).toMatchObject({ record: 'pet', id: '2' })
    expect(store.damages[0]?.reason).toContain(reason)
  })

  it('serves the others when the documents are too long for one reply', async () => {
    const long = 'x'.repeat(9_000_000)
    for (const id of [1, 2]) await write({ ...good(id), name: long })
    await write(good(3))
    const store = openStoreOf(uri)
    const found = await Promise.all([1n, 2n, 3n].map((id) => succeed(store.pets.findById(id))))
    expect(found).toStrictEqual([O.none, O.none, O.some(pet(3))])
    expect(store.damages).toMatchObject([{ id: '1' }, { id: '2' }])
  })

  it('serves the others when many are read at once', async () => {
    await write(good(1), { ...good(2), name: 7 }, good(3))
    const store = openStoreOf(uri)
    const found = await Promise.all([1n, 2n, 3n].map((id) => succeed(store.pets.findById(id))))
    expect(found).toStrictEqual([O.some(pet(1)), O.none, O.some(pet(3))])
    expect(store.damages).toMatchObject([{ record: 'pet', id: '2' }])
  })

  it('fills a page despite any number of damaged pets', async () => {
    const damaged = Array.from({ length: 50 }, (_, at) => ({ ...good(at + 10), name: 7 }))
    await write(good(1), good(2), good(3), ...damaged, { ...good(70), _id: 70.5 })
    const store = openStoreOf(uri)
    const page = await succeed(store.pets.findPage({ ...everything, limit: 2 }))
    expect(page).toStrictEqual({ pets: [pet(3), pet(2)], next: O.some(2n) })
    expect(store.damages.map(({ id }) => id)).toContain('70.5')
  })

  it('counts only pets that pages show, once it has met the damaged ones', async () => {
    const status = O.some('sold' as const)
    const sold = (id: number): Document => ({ ...good(id), status: 'sold' })
    await write(good(1), sold(2), { ...sold(3), name: 7 }, { ...good(4), _id: 4.5 }, good(5))
    const store = openStoreOf(uri)
    const list = listPets(store)
    const totalOf = async (query: Partial<PetQuery>) => {
      const { page, total } = await succeed(list({ query: { ...everything, ...query }, counted: true }))
      return { ids: page.pets.map(({ id }) => Number(id)), total: O.toUndefined(total) }
    }
    expect(await totalOf({ status })).toStrictEqual({ ids: [2], total: 1 })
    expect(await totalOf({})).toStrictEqual({ ids: [5, 2, 1], total: 3 })
    expect(await totalOf({ ids: O.some([1n, 3n]) })).toStrictEqual({ ids: [1], total: 1 })
    const named = database.collection<{ _id: bigint; name: unknown }>('pets')
    await named.updateOne({ _id: 3n }, { $set: { name: 'x' } })
    expect(await totalOf({})).toStrictEqual({ ids: [5, 3, 2, 1], total: 4 })
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

  it('does not read a damaged pet whose idempotency key has expired', async () => {
    const store = openStoreOf(uri)
    await succeed(store.pets.add(record(numbered(1), held('a', 'k', 2_000))))
    const named = database.collection<{ _id: bigint; name: unknown }>('pets')
    await named.updateOne({ _id: 1n }, { $set: { name: 7 } }, { bypassDocumentValidation: true })
    expect(await succeed(store.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 2_000))).toStrictEqual(O.none)
    const next = record(numbered(2), held('a', 'k', 3_000), 2_000)
    expect(await succeed(store.pets.add(next))).toStrictEqual(added(2))
    expect(store.damages).toStrictEqual([])
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

  describe('an API key', () => {
    const key: Document = { _id: 'k', scopes: ['pets:read'], hash: '0', createdAt: new Date(0) }

    it.each<readonly [string, Document]>([
      ['without a hash', { _id: 'k', scopes: [], createdAt: new Date(0) }],
      ['with an unknown scope', { ...key, scopes: ['pets:eat'] }],
      ['with a number for a time', { ...key, revokedAt: 5 }],
    ])('%s authorises nothing, and is reported', async (_, { _id, ...members }) => {
      await keys.insertOne({ _id, ...members }, { bypassDocumentValidation: true })
      const store = openStoreOf(uri)
      expect(await succeed(store.apiKeys.find('k'))).toStrictEqual(O.none)
      expect(await succeed(store.apiKeys.list)).toStrictEqual([])
      expect(store.damages.map(({ record, id }) => `${record} ${id}`)).toStrictEqual(['API key k', 'API key k'])
    })
  })

  it.each([
    ['pets', { _id: 1n, name: 'x' }],
    ['pets', { ...good(1), status: 'lost' }],
    ['counters', { _id: 'pets', last: 'seven' }],
    ['apiKeys', { _id: 'k' }],
  ])('has validators that refuse an invalid document in %s', async (collection, document) => {
    await expect(database.collection(collection).insertOne({ ...document } as Document)).rejects.toThrow(
      'Document failed validation',
    )
  })
})
