// Upgrade: what relays of earlier versions have left. Their documents are written as they wrote them.
import * as O from 'fp-ts/lib/Option.js'
import type { Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema/indexes.js'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { countOf, isIn, LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import type { RelayRecord } from '../../../src/domain/events/relay-record.js'
import type { Store } from '../../../src/ports/store.js'
import { create, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openSteeredStore } from '../../support/mongodb/steered-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

type State = 'sent' | 'waiting' | 'parked'

describeWith('mongodb', 'events of earlier versions in MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<{ _id: bigint }>('pets')
  const counters = database.collection<{ _id: string; last?: bigint; isRelayed?: boolean }>('counters')
  beforeEach(() => database.dropDatabase())

  const formerDocument = (id: number, state: State): Document & { readonly _id: bigint } => {
    const unsent = {
      parked: state === 'parked',
      failures: 2,
      dueAt: new Date(5),
      ...(state === 'parked' && { reason: 'no' }),
    }
    const event = { id: `event-${id}`, time: new Date(id) }
    return { _id: BigInt(id), name: `pet ${id}`, categoryId: 1n, event, ...(state !== 'sent' && { unsent }) }
  }
  const formerIndexes = () =>
    pets.createIndexes([
      {
        name: 'due',
        key: { 'unsent.parked': 1, 'unsent.dueAt': 1, _id: 1, 'event.time': 1 },
        partialFilterExpression: { 'unsent.parked': { $exists: true } },
      },
      { name: 'time', key: { 'event.time': 1, _id: 1 } },
    ])
  /** A store of an earlier version: pets from 1, in these states. */
  const formerStore = async (states: readonly State[], mark: Document = { isRelayed: true }): Promise<void> => {
    await formerIndexes()
    await pets.insertMany(states.map((state, at) => formerDocument(at + 1, state)))
    await counters.insertOne({ _id: 'pets', last: BigInt(states.length), ...mark })
  }
  const loaded = async ({ relay }: Pick<Store, 'relay'>): Promise<RelayRecord> => {
    const record = await succeed(relay.load)
    if (O.isNone(record)) throw new Error('expected a record')
    return record.value
  }

  it('keeps waiting, parked and sent events as they are, and makes all later ones pending', async () => {
    await formerStore(['sent', 'waiting', 'parked', 'waiting', 'waiting', 'sent', 'sent'])
    await database.collection<{ _id: string; hasSent: boolean }>('relay').insertOne({ _id: 'events', hasSent: true })
    const [one, other] = [openStoreOf(uri), openStoreOf(uri)]
    const records = await Promise.all([loaded(one), loaded(other), loaded(one)])
    const expected = {
      pending: [
        [2, 2],
        [4, 5],
        [8, LAST_NUMBER],
      ],
      parked: [{ number: 3, reason: 'no' }],
      hasSent: true,
      leaseMs: 0,
      version: 1,
    }
    expect(records).toStrictEqual([expected, expected, expected])
    // what the old version would read is still there
    expect(await pets.countDocuments({ 'unsent.parked': { $exists: true } })).toBe(4)
  })

  it.each<readonly [string, Document]>([
    ['only the mark shows that there was a relay', { isRelayed: true }],
    ['only an event that waits shows it, because the counter was lost', {}],
  ])('finds unsent events if %s', async (_, mark) => {
    await formerStore(['sent', 'waiting'], mark)
    expect((await loaded(openStoreOf(uri))).pending).toStrictEqual([[2, LAST_NUMBER]])
  })

  it('finds unsent events after the old indexes are gone', async () => {
    await formerStore(['waiting', 'sent', 'parked', 'sent'])
    await succeed(openStoreOf(uri).ping)
    await succeed(ensureIndexes(uri))
    expect((await pets.indexes()).map(({ name }) => name).sort()).toStrictEqual(['_id_', 'idempotency', 'status'])
    expect(await loaded(openStoreOf(uri))).toMatchObject({
      pending: [
        [1, 1],
        [5, LAST_NUMBER],
      ],
      parked: [{ number: 3 }],
    })
  })

  it('joins many unsent events to a record of bounded size, without losing one', async () => {
    await formerStore(range(1, 4_000).map((id) => (id % 3 === 0 ? 'parked' : id % 3 === 1 ? 'waiting' : 'sent')))
    const { pending, parked } = await loaded(openStoreOf(uri))
    expect(pending.length).toBeLessThanOrEqual(1_000)
    expect(parked.length).toBeLessThanOrEqual(1_000)
    const known = new Set(parked.map(({ number }) => number))
    const lost = range(1, 4_000).filter((id) => id % 3 !== 2 && !isIn(pending, id) && !known.has(id))
    expect(lost).toStrictEqual([])
  })

  it('closes ids that nobody used before unsent events are read', async () => {
    await formerStore(['sent', 'waiting', 'sent', 'sent'])
    await pets.deleteMany({ _id: { $in: [1n, 3n] } })
    expect((await loaded(openStoreOf(uri))).pending).toStrictEqual([
      [2, 2],
      [5, LAST_NUMBER],
    ])
  })

  it('reads the events of an old instance beside a new one, whichever of them has drawn the ids', async () => {
    await formerStore(['sent', 'waiting'])
    const store = openStoreOf(uri)
    await loaded(store)
    const oldCreate = async (): Promise<number> => {
      for (;;) {
        const counter = await counters.findOneAndUpdate(
          { _id: 'pets' },
          { $inc: { last: 1n }, $set: { isRelayed: true } },
          { returnDocument: 'after' },
        )
        const id = Number(counter?.last)
        try {
          await pets.insertOne(formerDocument(id, 'waiting'))
          return id
        } catch {
          // a reader has closed the id; the old version draws another one, too
        }
      }
    }
    const created: number[] = []
    let isOver = false
    const reading = (async () => {
      let position = 2
      const seen: number[] = []
      while (!isOver) {
        const page = await succeed(store.log.read({ after: position, limit: 3 }))
        seen.push(...page.events.map(eventNumber))
        position = page.upTo
      }
      return { position, seen }
    })()
    for (let turn = 0; turn < 30; turn += 1) {
      if (turn % 7 === 3) await counters.updateOne({ _id: 'pets' }, { $inc: { last: 1n } })
      created.push(turn % 2 === 0 ? await oldCreate() : eventNumber(await create(store)))
    }
    isOver = true
    const last = eventNumber(await create(store))
    const { position, seen } = await reading
    const rest = await readThrough(store.log, last, { after: position })
    expect([...seen, ...rest.map(eventNumber)]).toStrictEqual([...created, last])
    const { pending } = await loaded(store)
    expect(created.every((id) => isIn(pending, id))).toBe(true)
    expect((await pets.indexes()).map(({ name }) => name)).toContain('due')
    expect(store.damages).toStrictEqual([])
  })

  describe('in a store that no relay has used', () => {
    it('searches for unsent events once', async () => {
      const { store, commands } = await openSteeredStore(uri)
      await create(store)
      for (const _ of range(1, 3)) expect(await succeed(store.relay.load)).toStrictEqual(O.none)
      expect(
        commands.filter(({ find, filter }) => find === 'pets' && JSON.stringify(filter).includes('unsent')),
      ).toHaveLength(1)
    })

    it('makes events pending from the first one that a relay of an earlier version has seen', async () => {
      const store = openStoreOf(uri)
      const first = await create(store)
      expect(await succeed(store.relay.load)).toStrictEqual(O.none)
      await counters.updateOne({ _id: 'pets' }, { $inc: { last: 1n }, $set: { isRelayed: true } })
      await pets.insertOne(formerDocument(2, 'waiting'))
      const { pending } = await loaded(store)
      expect(isIn(pending, eventNumber(first))).toBe(false)
      expect(pending).toStrictEqual([[2, LAST_NUMBER]])
      expect(countOf(pending)).toBeGreaterThan(1)
    })
  })
})
