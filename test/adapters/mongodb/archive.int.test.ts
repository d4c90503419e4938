// Documents of other programs, and damaged ones, in an export: each is named, none hides another.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { adding, addTo, fail, petRecord, readAll, recordsIn, stateIn, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

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

    it('names a damaged counter', async () => {
      const { archive } = openStoreOf(uri)
      await succeed(archive.size)
      await insert('counters', { _id: 'pets', last: 'x' })
      const items = await recordsIn(archive)
      expect(items).toContainEqual({
        _tag: 'Damaged',
        damage: { record: 'id counter', id: 'pets', reason: expect.stringContaining('x') },
      })
      expect(await stateIn(archive)).toMatchObject({ lastId: 0n })
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
