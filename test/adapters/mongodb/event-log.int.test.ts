// How the MongoDB log gets past ids without a pet, and the voids that close them, which no reader sees.
import * as O from 'fp-ts/lib/Option.js'
import { Db } from 'mongodb'
import { beforeEach, expect, it, vi } from 'vitest'
import { type PetDocument, VOIDS } from '../../../src/adapters/mongodb/documents.js'
import type { CounterDocument } from '../../../src/adapters/mongodb/id-counter.js'
import { insertVoids } from '../../../src/adapters/mongodb/log/gaps.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { heldRecord, petRecord, readAll, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { create, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import {
  added,
  event,
  everything,
  held,
  idsOf,
  NOW,
  numbered,
  range,
  record,
  succeed,
} from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
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
  const voids = () => pets.countDocuments(VOIDS)

  // a new primary may show less than its predecessor did, even to majority reads
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
    await pets.insertOne({ _id: 3n, name: 'x', categoryId: 1n, event: { id: 'event-3', time: new Date(3) } })
    expect(await succeed(store.log.read({ after: 1, limit: 10 }))).toMatchObject({ events: [], upTo: 1 })
  })

  it('does not wait for an id whose create has lost the race for its idempotency key', async () => {
    const store = openStoreOf(uri, {}, FOREVER_MS)
    const idempotencyKey = held('a', 'k', NOW + 90_000)
    const first = event(await succeed(store.ids.next))
    await succeed(store.pets.add({ event: first, idempotencyKey }))
    const second = event(await succeed(store.ids.next))
    expect(await succeed(store.pets.add({ event: second, idempotencyKey }))).toMatchObject({ _tag: 'KeyTaken' })
    const third = await create(store)
    expect(await readThrough(store.log, 3)).toStrictEqual([first, third])
    expect(await voids()).toBe(1)
  })

  it('records the middle of a long gap as skipped ids', async () => {
    const store = openStoreOf(uri)
    const first = await create(store)
    await counters.updateOne({ _id: 'pets' }, { $set: { last: 9_000_000n } })
    const second = await create(store)
    expect(await readThrough(store.log, 9_000_001)).toStrictEqual([first, second])
    expect(await voids()).toBe(2_000)
    expect((await counters.findOne({ _id: 'pets' }))?.skipped).toStrictEqual([{ from: 1_002n, to: 8_999_000n }])
  })

  it('goes on when the counters are lost, with another id of the log', async () => {
    const store = openStoreOf(uri)
    await succeed(store.archive.end(5_000_000n))
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
    const { records } = await readAll(store.archive)
    expect(records.map(({ event }) => event.pet.id)).toStrictEqual([2n, 5n])
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

  it.each(['insert', 'delete'])('takes up an import beside voids that was cut before its %s', async (cut) => {
    const { archive, pets: found } = openStoreOf(uri)
    await addVoids(2)
    const records = [petRecord(1), heldRecord(2), petRecord(3)]
    const whole = database.command.bind(database)
    const spy = vi
      .spyOn(Db.prototype, 'command')
      .mockImplementation((command, options) =>
        cut in command ? Promise.reject(new Error('cut')) : whole(command, options),
      )
    await Promise.all(records.map((one) => archive.restore(one)()))
    spy.mockRestore()
    await restoreInto(archive, ...records)
    expect(await idsOf(found, {})).toStrictEqual([3, 2, 1])
  })

  it('replaces voids by the pets of an import, once', async () => {
    const { archive, pets: found, log } = openStoreOf(uri)
    await addVoids(1, 2, 3, 9)
    const records = [heldRecord(2), petRecord(3)]
    expect(await restoreInto(archive, ...records)).toStrictEqual(['added', 'added'])
    expect(await restoreInto(archive, ...records)).toStrictEqual(['unchanged', 'unchanged'])
    expect(await restoreInto(archive, petRecord(3, { name: 'x', categoryId: 1n }))).toStrictEqual(['different'])
    expect(await idsOf(found, {})).toStrictEqual([3, 2])
    expect(await succeed(found.count(ALL_PETS))).toBe(2)
    expect(await readThrough(log, 3)).toStrictEqual([petRecord(2).event, petRecord(3).event])
  })
})
