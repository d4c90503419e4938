// Whether events are queued if the counter with the mark is lost, or was not read recently.
import { beforeEach, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.js'
import { numbered, record } from '../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../src/testing/outcome.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'

describeWith('mongodb', 'queuing of events in MongoDB', (address) => {
  const { uri, database, clear } = testDatabase(address)
  beforeEach(clear)

  const open = async (isRelayed: boolean): Promise<Store> => {
    const store = openStoreOf(uri, { isRelayed })
    await succeed(store.ping)
    return store
  }
  const create = async ({ ids, pets }: Store): Promise<void> => {
    await succeed(pets.add(record(numbered(await succeed(ids.next)))))
  }
  const backlog = async ({ outbox }: Store): Promise<number> => (await succeed(outbox.backlog)).size
  const sendAll = async ({ outbox }: Store): Promise<void> => {
    const claimed = await succeed(outbox.claim({ now: 5_000, leaseUntil: 6_000, maxDueAt: 9_000, limit: 100 }))
    await succeed(outbox.settle(claimed.map(({ event }) => ({ _tag: 'Sent', event }))))
  }
  const counters = database.collection<{ _id: string }>('counters')
  const loseCounter = () => counters.deleteMany({})
  const counter = () => counters.findOne({ _id: 'pets' })

  it('survives a lost counter in an instance that relays', async () => {
    const store = await open(true)
    await loseCounter()
    await create(store)
    expect(await counter()).toStrictEqual({ _id: 'pets', last: 1n, isRelayed: true })
  })

  it('survives a lost counter in an instance that has seen the mark, without unsent events', async () => {
    const [relaying, writer] = [await open(true), await open(false)]
    await create(writer)
    await sendAll(relaying)
    await loseCounter()
    await create(writer)
    expect(await backlog(writer)).toBe(1)
    expect(await counter()).toStrictEqual({ _id: 'pets', last: 2n, isRelayed: true })
  })

  it('survives a lost counter in a new instance while an event waits', async () => {
    await create(await open(true))
    await loseCounter()
    const writer = await open(false)
    await create(writer)
    expect(await backlog(writer)).toBe(2)
    expect(await counter()).toMatchObject({ isRelayed: true })
  })

  it('survives a lost counter in a new instance once an event was sent', async () => {
    const relaying = await open(true)
    await create(relaying)
    await sendAll(relaying)
    await loseCounter()
    const writer = await open(false)
    await create(writer)
    expect(await backlog(writer)).toBe(1)
  })

  it('begins within about a second in an instance that adds pets with its own ids', async () => {
    const writer = await open(false)
    await succeed(writer.pets.add(record(numbered(1))))
    expect(await backlog(writer)).toBe(0)
    await open(true)
    let id = 1
    const addAndLook = async (): Promise<void> => {
      id += 1
      await succeed(writer.pets.add(record(numbered(id))))
      expect(await backlog(writer)).toBe(1)
    }
    await eventually(addAndLook)
  })

  it('does not begin if the counter is lost and nothing else shows a relay', async () => {
    const writer = await open(false)
    await create(writer)
    await loseCounter()
    await create(writer)
    expect(await backlog(writer)).toBe(0)
    expect(await counter()).toStrictEqual({ _id: 'pets', last: 2n })
  })
})
