// Documents of other programs, and damaged ones, in an export: each is named, none hides another.
import type { Collection, Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { merge, petRecord, readAll, recordsIn, stateIn, succeed } from '../../../src/testing/samples.js'
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
      await merge(archive, petRecord(1), petRecord(5))
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
      ).toStrictEqual(['API key bbbbbbbbbbb', 'pet 0', 'pet 2', 'idempotency key 4', 'pet foreign'])
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

  it('merges into a damaged store without touching what is damaged', async () => {
    const { archive } = openStoreOf(uri)
    await merge(archive)
    await insert('counters', { _id: 'pets', last: 'x' })
    await insert('pets', { _id: 1n, name: '', categoryId: 1n })
    const [first, second] = await merge(archive, petRecord(1), petRecord(2))
    expect(first).toMatch(/^Refused: the stored record is damaged: \/name: /)
    expect(second).toBe('Added')
    expect(await database.collection('counters').findOne()).toMatchObject({ last: 'x' })
  })
})
