import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, expect, it } from 'vitest'
import type { CounterDocument } from '../../../src/adapters/mongodb/id-counter.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import type { Store } from '../../../src/ports/store.js'
import { fail, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openHeldStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'
import { makeGate } from '../../support/runner/gate.js'

describeWith('mongodb', 'the counter of ids in MongoDB', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const counters = database.collection<{ _id: string }>('counters')
  beforeEach(async () => {
    await succeed(openStoreOf(uri).ping)
    await clear()
  })
  const set = (last: unknown) => counters.replaceOne({ _id: 'pets' }, { last }, { upsert: true })
  const stored = async () => (await database.collection<CounterDocument>('counters').findOne({ _id: 'pets' }))?.last
  const add = ({ pets }: Store, id: bigint) => succeed(pets.add(record(numbered(id))))

  it('moves above the stored pets if it is behind them, and no create fails', async () => {
    const store = openStoreOf(uri)
    for (const id of [1n, 2n, 3n, 40n]) await add(store, id)
    await set(0n)
    const create = addPet({ ...store, clock: systemClock, crypto: nodeCrypto })
    const added = await Promise.all(
      Array.from({ length: 30 }, () =>
        succeed(create({ newPet: { name: 'x', categoryId: 1 }, idempotencyKey: O.none })),
      ),
    )
    const ids = added.map(({ pet }) => pet.id)
    expect(new Set(ids).size).toBe(30)
    expect(ids.filter((id) => id <= 40n).every((id) => id > 3n)).toBe(true)
    expect(await succeed(store.ids.next)).toBeGreaterThan(40n)
    expect(await succeed(store.pets.findById(2n))).toStrictEqual(O.some(numbered(2)))
  })

  it('draws no skipped id if it is set back', async () => {
    const store = openStoreOf(uri)
    await succeed(store.ids.next)
    await succeed(store.archive.end(100n))
    // the void with the last id is gone, too
    await database.collection('pets').deleteMany({})
    await counters.updateOne({ _id: 'pets' }, { $set: { last: 1n } })
    const drawn = await Promise.all(Array.from({ length: 5 }, () => succeed(store.ids.next)))
    expect(drawn.every((id) => id > 100n)).toBe(true)
  })

  it('gives no id to a create whose caller was told that the store is unavailable', async () => {
    const gate = makeGate()
    const { store } = await openHeldStore(uri, 'insert', gate.pass, { operationMs: 500 })
    await eventually(() => succeed(store.ping))
    const other = openStoreOf(uri)
    const id = await succeed(other.ids.next)
    await add(other, id)
    await fail(store.pets.add(record(numbered(id))))
    // now the create learns that another pet has its id
    gate.open()
    // these take much longer than it would need to draw another one
    for (let at = 1n; at <= 200n; at += 1n) expect(await succeed(other.ids.next)).toBe(id + at)
  })

  it.each<readonly [string, unknown]>([
    ['a text', '5'],
    ['negative', -1n],
    ['not a number', Number.NaN],
  ])('draws no id and reports an error if it is %s [ids]', async (_, last) => {
    await set(last)
    const store = openStoreOf(uri)
    await fail(store.ids.next)
    expect(store.damages).toMatchObject([{ record: 'id counter', id: 'pets' }])
    expect(store.damages[0]?.reason).toContain('not an integer')
  })

  it.each([MAX_PET_ID, 2n ** 63n - 1n])('draws no id at or above the last one: %s', async (last) => {
    await set(last)
    const store = openStoreOf(uri)
    expect(String((await fail(store.ids.next)).cause)).toContain('there are no more ids')
    expect(await stored()).toBe(last)
    expect(store.damages).toStrictEqual([])
  })
})
