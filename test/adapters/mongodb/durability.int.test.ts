// Nothing that a crash or a failover can undo is acknowledged or trusted.

import { inspect } from 'node:util'
import { type Document, ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents.js'
import type { LogDocument } from '../../../src/adapters/mongodb/log/final-numbers.js'
import type { Notice } from '../../../src/ports/notice.js'
import type { PetRepository } from '../../../src/ports/pet-repository.js'
import type { Store } from '../../../src/ports/store.js'
import { create, numbersOf, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { fail, held, numbered, record, recordOf, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { behindProxy, openSteeredStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase, withOptions } from '../../support/mongodb/test-database.js'
import { steering } from '../../support/mongodb/wire-taps.js'

/** Some have their own ids, and some race for a key. */
const addRacing = async (pets: PetRepository): Promise<void> => {
  for (const ids of [[1], [2, 3], [4, 5], [1]])
    await Promise.all(ids.map((id) => succeed(pets.add(record(numbered(id), held('a', 'k'))))))
}

/** Longer than any test waits. */
const FOREVER_MS = 3_600_000

describeWith('mongodb', 'the log in MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<PetDocument>('pets')
  const counters = database.collection<LogDocument>('counters')
  beforeEach(async () => {
    await database.dropDatabase()
  })

  it('gives out nothing that a server without a replica set has read and lost in a crash', async () => {
    let isCrashed = false
    const restarted = { processId: new ObjectId(), counter: 0n }
    const withoutReplicaSet = ({ setName: _, topologyVersion, ...hello }: Document) => ({
      ...hello,
      topologyVersion: isCrashed ? restarted : topologyVersion,
    })
    let crash: (() => Promise<unknown>) | undefined
    const { store } = await openSteeredStore(
      uri,
      (command) => {
        if (command === 'hello') return withoutReplicaSet
        if (command !== 'find' || crash === undefined) return 'pass'
        // the server is killed before the reply arrives, and loses everything outside its journal
        isCrashed = true
        const gone = crash()
        crash = undefined
        return gone
      },
      FOREVER_MS,
    )
    const first = await create(store)
    expect(numbersOf(await succeed(store.log.read({ after: 0, limit: 1 })))).toStrictEqual([1])
    const second = await create(store)
    crash = () => pets.deleteOne({ _id: 2n })
    expect(await succeed(store.log.read({ after: 1, limit: 10 }))).toStrictEqual({ events: [], damaged: [], upTo: 1 })
    // nor tells it to readers beside this one, or to other processes
    expect(await succeed(store.log.read({ after: 2, limit: 10 }))).toMatchObject({ events: [], upTo: 1 })
    expect(await counters.findOne({ _id: 'log' })).toMatchObject({ last: 1n })
    // the create repeats the insert, so the pet is not lost
    await succeed(store.pets.add(recordOf(second)))
    expect(await readThrough(store.log, 2)).toStrictEqual([first, second])
  })
})

describeWith('mongodb', 'a MongoDB without a replica set and without topologyVersion', (address) => {
  const { uri } = testDatabase(address)

  it('serves all but the feed, and says so once, at the start', async () => {
    const tap = steering((command) =>
      command === 'hello' ? ({ setName: _, topologyVersion: __, ...hello }) => hello : 'pass',
    )
    const notices: Notice[] = []
    const store = openStoreOf((await behindProxy(uri, tap)).uri, { notify: (notice) => notices.push(notice) })
    await create(store)
    for (const _ of ['first', 'second']) await fail(store.log.read({ after: 0, limit: 1 }))
    expect(notices).toStrictEqual([
      { level: 'error', message: 'the feed of events will be unavailable', details: { reason: expect.any(String) } },
      expect.objectContaining({ message: 'connected to the database' }),
    ])
  })
})

describeWith('mongodb', 'MongoDB with a failing primary', (address) => {
  const { uri } = testDatabase(address)

  const majority = { w: 'majority', j: true }

  it.each<readonly [string, string, string, (store: Store) => Promise<unknown>, least: number]>([
    ['writes every id', 'findAndModify', 'counters', ({ ids }) => succeed(ids.next), 1],
    ['loads the record of the relay by a write', 'findAndModify', 'relay', ({ relay }) => succeed(relay.load), 1],
    ['writes every pet', 'insert', 'pets', ({ pets }) => addRacing(pets), 4],
  ])('%s to the journal of a majority before it returns', async (_, name, of, work, least) => {
    const { store, commands } = await openSteeredStore(withOptions(uri, 'w=1&journal=false&wtimeoutMS=1'))
    await work(store)
    const written = commands.filter((command) => command[name] === of)
    expect(written.length).toBeGreaterThanOrEqual(least)
    for (const command of written) expect(command['writeConcern']).toStrictEqual(majority)
  })

  it('reads in a majority who holds an id or a key', async () => {
    const { store, commands } = await openSteeredStore(uri)
    await addRacing(store.pets)
    const keys = ['k', 'other'].map((key) => ({ lineage: 'a', key }))
    await succeed(store.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 1_000))
    await Promise.all(keys.map((key) => succeed(store.pets.findByIdempotencyKey(key, 1_000))))
    const reads = commands.filter(({ find }) => find === 'pets')
    expect(reads.length).toBeGreaterThanOrEqual(4)
    // local reads: the highest id, as a counter that is too high repeats no id; and non-numeric ids, for reports only
    const isLocal = ({ sort, filter }: Document) =>
      JSON.stringify(sort) === '{"_id":-1}' || inspect(filter, { depth: 4 }).includes('$not')
    for (const command of reads.filter((read) => !isLocal(read))) {
      expect(command).toMatchObject({ readConcern: { level: 'majority' } })
    }
  })
})
