// Documents whose ids are not those of pets: told at a start and by an export, and shown by no reader.
import * as O from 'fp-ts/lib/Option.js'
import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { everything, recordsIn, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

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
