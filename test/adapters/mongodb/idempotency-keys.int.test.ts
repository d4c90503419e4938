// Idempotency keys beside pets that somebody has deleted: a later holder then has the number of an earlier one.
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents.js'
import { added, held, NOW, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

const MINUTE_MS = 60_000
const at = (minute: number): number => NOW + minute * MINUTE_MS

describeWith('mongodb', 'an idempotency key in MongoDB', (address) => {
  const { uri, database } = testDatabase(address)

  it('is held by its newest pet, and can be used again, after older pets were deleted', async () => {
    const { pets } = openStoreOf(uri)
    /** Holds the key for a minute. */
    const add = (id: number, minute: number) =>
      succeed(pets.add(record(numbered(id), held('a', 'k', at(minute + 1)), at(minute))))
    const holder = (minute: number) => succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, at(minute)))
    expect([await add(1, 1), await add(2, 3)]).toStrictEqual([added(1), added(2)])
    await database.collection<PetDocument>('pets').deleteOne({ _id: 1n })
    expect(await add(3, 5)).toStrictEqual(added(3))
    expect(await add(4, 5.5)).toStrictEqual({ _tag: 'KeyTaken', by: numbered(3) })
    expect(await holder(5.5)).toStrictEqual(O.some(numbered(3)))
    expect(await holder(7)).toStrictEqual(O.none)
    expect(await add(5, 7)).toStrictEqual(added(5))
    expect(await holder(7.5)).toStrictEqual(O.some(numbered(5)))
  })
})
