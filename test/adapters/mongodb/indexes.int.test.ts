// The work of the database per query, as many keys as results, and its unique indexes.
import * as O from 'fp-ts/lib/Option.js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents.js'
import { matching, newestFirst } from '../../../src/adapters/mongodb/pets/pet-reading.js'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import { PET_STATUSES } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, type PetFilter } from '../../../src/domain/pets/pet-query.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

const COUNT = 400

const OTHER_VALIDATOR = {
  $jsonSchema: { bsonType: 'object', required: ['last'], properties: { last: { bsonType: 'long' } } },
}

describeWith('mongodb', 'the indexes of MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<PetDocument>('pets')
  const document = (id: number): PetDocument => ({
    _id: BigInt(id),
    name: 'x',
    categoryId: BigInt(id % 5),
    ...(id % 4 > 0 && { status: PET_STATUSES[(id % 4) - 1] ?? 'sold' }),
    event: { id: `event-${id}`, time: new Date(id) },
    ...(id <= 5 && { idempotency: { apiKeyId: 'a', key: `key-${id}`, turn: 0, expiresAt: new Date(5_000) } }),
  })
  beforeAll(async () => {
    await succeed(ensureIndexes(uri))
    await pets.insertMany(range(1, COUNT).map((id) => document(id)))
  })

  describe('findPage', () => {
    // a new member does not compile until it is here, and fails without an index; ids use _id, a hundred at most
    const filters: Readonly<Record<Exclude<keyof PetFilter, 'ids'>, PetFilter>> = {
      status: { ...ALL_PETS, status: O.some('sold') },
    }
    const cases = Object.entries({ 'no member': ALL_PETS, ...filters }).flatMap(([name, filter]) => [
      { name, filter, place: 'the first page', before: O.none },
      { name, filter, place: 'a page further on', before: O.some(201n) },
    ])

    it.each(cases)('examines one more key than it returns pets, for $place with $name', async ({ filter, before }) => {
      const { executionStats } = await pets.find(matching(filter, before), newestFirst(21)).explain('executionStats')
      expect(executionStats).toMatchObject({ nReturned: 21, totalKeysExamined: 21, totalDocsExamined: 21 })
    })
  })

  it('replaces a validator that differs when they are ensured; a start leaves it as it is', async () => {
    await database.command({ collMod: 'counters', validator: OTHER_VALIDATOR })
    const validator = async () => (await database.listCollections({ name: 'counters' }).toArray())[0]
    await succeed(openStoreOf(uri).ping)
    expect(await validator()).toMatchObject({ options: { validator: OTHER_VALIDATOR } })
    await succeed(ensureIndexes(uri))
    await succeed(openStoreOf(uri).ping)
    expect(JSON.stringify(await validator())).toContain('"logId"')
  })
})
