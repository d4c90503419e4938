// Voids, which close ids that no pet will get: nothing shows them, and they cost little.
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { type PetDocument, voidDocument } from '../../../src/adapters/mongodb/documents.js'
import { insertVoids } from '../../../src/adapters/mongodb/log/gaps.js'
import { matching, newestFirst } from '../../../src/adapters/mongodb/pets/pet-reading.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { adding, addTo, heldKey, petRecord, recordsIn } from '../../../src/testing/contracts/archive-samples.js'
import { readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { added, everything, fail, held, idsOf, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'voids in MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<PetDocument>('pets')
  beforeEach(async () => {
    await database.dropDatabase()
    await succeed(openStoreOf(uri).ping)
  })
  const addVoids = (...ids: readonly number[]) => insertVoids(database, ids.map(BigInt))
  const withStatus = (id: number) => ({ ...numbered(id), status: 'sold' as const })

  it('shows voids to no reader, neither as pets nor as damage', async () => {
    const store = openStoreOf(uri)
    for (const id of [2, 5]) await succeed(store.pets.add(record(withStatus(id), held('a', `${id}`))))
    await addVoids(1, 3, 4, 6)
    const { pets: found } = store
    expect(await idsOf(found, {})).toStrictEqual([5, 2])
    expect(await succeed(found.findPage({ ...everything, limit: 1 }))).toMatchObject({ next: O.some(5n) })
    expect(await idsOf(found, { status: O.some('sold') })).toStrictEqual([5, 2])
    const ids = O.some(range(1, 6).map(BigInt))
    expect(await idsOf(found, { ids })).toStrictEqual([5, 2])
    for (const filter of [{}, { status: O.some('sold' as const) }, { ids }]) {
      expect(await succeed(found.count({ ...ALL_PETS, ...filter }))).toBe(2)
    }
    const byId = await Promise.all(range(1, 6).map((id) => succeed(found.findById(BigInt(id)))))
    expect(byId.map(O.isSome)).toStrictEqual([false, true, false, false, true, false])
    expect(await recordsIn(store.archive, 0)).toMatchObject([
      { _tag: 'Pet', event: { pet: { id: 2n } } },
      { _tag: 'IdempotencyKey' },
      { _tag: 'Pet', event: { pet: { id: 5n } } },
      { _tag: 'IdempotencyKey' },
    ])
    expect((await readThrough(store.log, 6)).map(({ pet }) => pet.id)).toStrictEqual([2n, 5n])
    expect(store.damages).toStrictEqual([])
  })

  it('gives the id of a void to no pet, and resumes a lost counter above it', async () => {
    const store = openStoreOf(uri)
    await addVoids(3)
    expect(await succeed(store.pets.add(record(numbered(3))))).toStrictEqual(added(4))
    await database.collection('counters').deleteMany({})
    expect(await succeed(store.ids.next)).toBe(5n)
  })

  it('replaces voids by the pets of an import, once, and holds no idempotency key for them', async () => {
    const { archive, pets: found, log } = openStoreOf(uri)
    await addVoids(1, 2, 3, 9)
    expect(await fail(adding(archive, [heldKey(2)]))).toMatchObject({ at: 0 })
    const records = [petRecord(2), petRecord(3), heldKey(2)]
    expect(await succeed(adding(archive, records, { after: 0n }))).toStrictEqual(records)
    expect(await addTo(archive, ...records)).toStrictEqual([])
    expect(await fail(adding(archive, [petRecord(3, { name: 'x', categoryId: 1n })]))).toMatchObject({ at: 0 })
    expect(await idsOf(found, {})).toStrictEqual([3, 2])
    expect(await succeed(found.count(ALL_PETS))).toBe(2)
    expect(await readThrough(log, 3)).toStrictEqual([petRecord(2).event, petRecord(3).event])
  })

  it('counts exactly while voids are added', async () => {
    const store = openStoreOf(uri)
    await addTo(store.archive, ...range(1, 20).map((at) => petRecord(at * 10)))
    const closing = Promise.all(range(1, 40).map((at) => addVoids(at * 5 - 1)))
    const counts = await Promise.all(range(1, 10).map(() => succeed(store.pets.count(ALL_PETS))))
    await closing
    expect(new Set(counts)).toStrictEqual(new Set([20]))
  })

  describe('cost', () => {
    beforeEach(async () => {
      const voids = range(1, 400).filter((id) => id % 2 === 0)
      const others = range(1, 400).filter((id) => id % 2 === 1)
      await pets.insertMany(voids.map((id) => voidDocument(BigInt(id))))
      await pets.insertMany(
        others.map((id) => {
          const event = { id: `event-${id}`, time: new Date(id) }
          return { _id: BigInt(id), name: 'x', categoryId: 1n, status: 'sold', event }
        }),
      )
    })

    it('examines one key for each void in a page, and none in a page by status', async () => {
      const explained = (filter: Parameters<typeof matching>[0]) =>
        pets.find(matching(filter, O.some(300n)), newestFirst(21)).explain('executionStats')
      expect((await explained(ALL_PETS))['executionStats']).toMatchObject({ nReturned: 21, totalKeysExamined: 41 })
      const byStatus = await explained({ ...ALL_PETS, status: O.some('sold') })
      expect(byStatus['executionStats']).toMatchObject({ nReturned: 21, totalKeysExamined: 21, totalDocsExamined: 21 })
    })
  })
})
