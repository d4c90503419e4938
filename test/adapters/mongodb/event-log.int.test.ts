// How the log of MongoDB gets over ids that no pet will get, and what it costs.
import * as O from 'fp-ts/lib/Option.js'
import type { Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { type PetDocument, VOIDS } from '../../../src/adapters/mongodb/documents.js'
import type { CounterDocument } from '../../../src/adapters/mongodb/id-counter.js'
import { adding, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { create, createMany, headOf, numbersOf, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { added, event, held, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openSteeredStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

/** Longer than any test waits. */
const FOREVER_MS = 3_600_000

describeWith('mongodb', 'the log in MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<PetDocument>('pets')
  const counters = database.collection<CounterDocument>('counters')
  beforeEach(async () => {
    await database.dropDatabase()
    await succeed(openStoreOf(uri).ping)
  })
  const documents = (from: number, to: number): readonly PetDocument[] =>
    range(from, to).map((id) => ({
      _id: BigInt(id),
      name: 'x',
      categoryId: 1n,
      event: { id: `event-${id}`, time: new Date(id) },
    }))
  const voids = () => pets.countDocuments(VOIDS)

  it('waits for a create that is under way, as long as one may take', async () => {
    const [one, other] = [openStoreOf(uri, {}, FOREVER_MS), openStoreOf(uri, {}, FOREVER_MS)]
    const first = await create(one)
    const early = event(await succeed(one.ids.next))
    const late = await create(other)
    expect(await succeed(other.log.read({ after: 0, limit: 10 }))).toStrictEqual({
      events: [first],
      damaged: [],
      upTo: 1,
    })
    expect(await succeed(one.pets.add(recordOf(early)))).toStrictEqual(added(early.pet.id))
    expect(await succeed(other.log.read({ after: 1, limit: 10 }))).toMatchObject({ events: [early, late], upTo: 3 })
    expect(await voids()).toBe(0)
  })

  // an elected primary may show, even to majority reads, less than its predecessor did
  it('stops before an event that was final and that a read does not show, instead of passing it', async () => {
    const store = openStoreOf(uri, {}, FOREVER_MS)
    const created = [await create(store), await create(store), await create(store)]
    expect(await readThrough(store.log, 3)).toStrictEqual(created)
    const second = await pets.findOneAndDelete({ _id: 2n })
    expect(await succeed(store.log.read({ after: 0, limit: 10 }))).toMatchObject({
      events: created.slice(0, 1),
      upTo: 1,
    })
    expect(await succeed(store.log.read({ after: 1, limit: 10 }))).toMatchObject({ events: [], upTo: 1 })
    if (second !== null) await pets.insertOne(second)
    expect(await succeed(store.log.read({ after: 1, limit: 10 }))).toMatchObject({ events: created.slice(1), upTo: 3 })
  })

  it('forgets skipped ids that a failure of the database has taken back', async () => {
    const store = openStoreOf(uri, {}, FOREVER_MS)
    const first = await create(store)
    const skipped = [{ from: 2n, to: 2n }]
    await counters.updateOne({ last: { $gte: 0n } }, { $set: { skipped } })
    expect(await succeed(store.log.read({ after: 0, limit: 10 }))).toMatchObject({ events: [first], upTo: 1 })
    await counters.updateMany({}, { $unset: { skipped: '' } })
    await pets.insertMany(documents(3, 3))
    expect(await succeed(store.log.read({ after: 1, limit: 10 }))).toMatchObject({ events: [], upTo: 1 })
  })

  it('does not wait for an id whose create has lost the race for its idempotency key', async () => {
    const store = openStoreOf(uri, {}, FOREVER_MS)
    const idempotencyKey = held('a', 'k', 90_000)
    const first = event(await succeed(store.ids.next))
    await succeed(store.pets.add({ event: first, idempotencyKey }))
    const second = event(await succeed(store.ids.next))
    expect(await succeed(store.pets.add({ event: second, idempotencyKey }))).toMatchObject({ _tag: 'KeyTaken' })
    const third = await create(store)
    expect(await readThrough(store.log, 3)).toStrictEqual([first, third])
    expect(await voids()).toBe(1)
  })

  it('records the middle of a long gap as skipped ids', async () => {
    await pets.insertMany([...documents(1, 2), ...documents(9_000_000, 9_000_001)])
    await counters.insertOne({ _id: 'pets', last: 9_000_001n })
    const store = openStoreOf(uri)
    expect(numbersOf({ events: await readThrough(store.log, 9_000_001) })).toStrictEqual([1, 2, 9_000_000, 9_000_001])
    expect(await voids()).toBe(2_000)
    expect((await counters.findOne({ _id: 'pets' }))?.skipped).toStrictEqual([{ from: 1_003n, to: 8_998_999n }])
  })

  it('gives another id to a create that is later than the patience on either side of a counter that an operator has raised', async () => {
    const store = openStoreOf(uri)
    const before = event(await succeed(store.ids.next))
    await counters.updateOne({ _id: 'pets' }, { $set: { last: 50_000n } })
    const after = event(await succeed(store.ids.next))
    const last = await create(store)
    expect(await readThrough(store.log, 50_002)).toStrictEqual([last])
    expect((await counters.findOne({ _id: 'pets' }))?.skipped).toHaveLength(1)
    for (const [late, id] of [[before, 50_003] as const, [after, 50_004] as const]) {
      expect(await succeed(store.pets.add(recordOf(late)))).toStrictEqual(added(id))
    }
  })

  it('waits for no id below the last one of an import, not even without its pets', async () => {
    const store = openStoreOf(uri, {}, FOREVER_MS)
    const records = [petRecord(2), petRecord(50_000)]
    const batch = { after: 0n, lastId: O.some(5_000_000n) }
    await succeed(adding(store.archive, records, batch))
    await succeed(adding(store.archive, records, batch))
    const created = await create(store)
    expect(await readThrough(store.log, 5_000_001)).toStrictEqual([event(2), event(50_000), created])
    expect([await voids(), (await counters.findOne({ _id: 'pets' }))?.skipped?.length]).toStrictEqual([1, 1])
    const { store: later, commands } = await openSteeredStore(uri)
    expect((await succeed(later.log.read({ after: 5_000_000, limit: 1 }))).events).toStrictEqual([created])
    expect(commands.filter(({ find, limit }) => find === 'pets' && Number(limit) > 1_000)).toHaveLength(0)
  })

  it('goes on when the counters are lost, with another id of the log', async () => {
    const store = openStoreOf(uri)
    await succeed(adding(store.archive, [], { lastId: O.some(5_000_000n) }))
    const first = await create(store)
    await readThrough(store.log, 5_000_001)
    const { logId } = await succeed(store.log.head)
    await counters.deleteMany({})
    const later = openStoreOf(uri)
    const second = await create(later)
    expect(Number(second.pet.id)).toBe(5_000_002)
    expect(await readThrough(later.log, 5_000_002)).toStrictEqual([first, second])
    expect((await succeed(later.log.head)).logId).not.toBe(logId)
  })

  describe('cost', () => {
    const looks = (commands: readonly Document[]) => commands.filter(({ find }) => find === 'pets')

    it('costs one small read per read at rest', async () => {
      const { store, commands } = await openSteeredStore(uri)
      await createMany(store, 3)
      await readThrough(store.log, 3)
      // the driver's own ones belong to no session
      const asked = () => commands.filter(({ hello, lsid }) => hello === 1 && lsid !== undefined)
      expect(asked()).not.toHaveLength(0)
      commands.length = 0
      for (const _ of range(1, 10)) await succeed(store.log.read({ after: 3, limit: 256 }))
      expect(looks(commands)).toHaveLength(10)
      // besides the samples of the counter, about one per quarter of the patience
      expect([...asked(), ...commands.filter(({ findAndModify }) => findAndModify !== undefined)]).toHaveLength(0)
    })

    it('scans the ids of existing data in steps, once for all processes', async () => {
      await pets.insertMany([...documents(1, 12_000)])
      const first = await openSteeredStore(uri)
      expect((await succeed(first.store.log.read({ after: 12_000, limit: 1 }))).upTo).toBe(12_000)
      expect(looks(first.commands).filter(({ limit }) => Number(limit) > 1_000)).toHaveLength(3)
      // a later read saves what is final
      await headOf(first.store)
      const second = await openSteeredStore(uri)
      expect((await succeed(second.store.log.read({ after: 11_990, limit: 100 }))).events).toHaveLength(10)
      expect(looks(second.commands).filter(({ limit }) => Number(limit) > 1_000)).toHaveLength(0)
    })
  })
})
