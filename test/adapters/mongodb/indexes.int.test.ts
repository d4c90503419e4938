// Queries examine as many keys as they return results; and how a start creates the indexes.
import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents.js'
import { matching, newestFirst } from '../../../src/adapters/mongodb/pets/pet-reading.js'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import { PET_STATUSES } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, type PetFilter } from '../../../src/domain/pets/pet-query.js'
import { memberOf } from '../../../src/domain/thrown.js'
import type { Notice } from '../../../src/ports/notice.js'
import { anyApiKey, fail, range, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openHeldStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'

const COUNT = 400

/** Longer than a request would wait for a reply. */
const LONG_MS = 1_500

describeWith('mongodb', 'the indexes of MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const pets = database.collection<PetDocument>('pets')
  const document = (id: number): PetDocument => ({
    _id: BigInt(id),
    name: 'x',
    categoryId: BigInt(id % 5),
    ...(id % 4 > 0 && { status: PET_STATUSES[(id % 4) - 1] ?? 'sold' }),
    event: { id: `event-${id}`, time: new Date(id) },
    ...(id <= 5 && { idempotency: { apiKeyId: 'a', key: `key-${id}`, generation: 0, expiresAt: new Date(5_000) } }),
  })
  beforeEach(async () => {
    await database.dropDatabase()
    await succeed(ensureIndexes(uri))
  })

  describe('findPage', () => {
    // a new member does not compile until it is listed, and fails without an index; ids (at most 100) use _id
    const filters: Readonly<Record<Exclude<keyof PetFilter, 'ids'>, PetFilter>> = {
      status: { ...ALL_PETS, status: O.some('sold') },
    }
    const cases = Object.entries({ 'no member': ALL_PETS, ...filters }).flatMap(([name, filter]) => [
      { name, filter, place: 'the first page', before: O.none },
      { name, filter, place: 'a page further on', before: O.some(201n) },
    ])

    beforeEach(async () => {
      await pets.insertMany(range(1, COUNT).map((id) => document(id)))
    })

    it.for(cases)(
      'examines one more key than it returns pets, for $place with $name',
      async ({ filter, before }, { skip }) => {
        const { executionStats } = await pets.find(matching(filter, before), newestFirst(21)).explain('executionStats')
        skip(Number(memberOf(executionStats, 'nReturned')) > 21, 'needs a server whose explain honours the limit')
        expect(executionStats).toMatchObject({ nReturned: 21, totalKeysExamined: 21, totalDocsExamined: 21 })
      },
    )
  })

  it('builds the indexes once, however long it takes, before the store opens', async () => {
    await database.dropDatabase()
    const { store, commands } = await openHeldStore(uri, 'createIndexes', () => sleep(LONG_MS))
    await eventually(() => succeed(store.ping))
    // one command per collection with indexes
    expect(commands()).toBe(2)
  })

  it('does not carry out, once they are built, what callers have given up meanwhile', async () => {
    await database.dropDatabase()
    const deadlines = { operationMs: 300, openingMs: 300 }
    const { store } = await openHeldStore(uri, 'createIndexes', () => sleep(LONG_MS), deadlines)
    await fail(store.apiKeys.add(anyApiKey))
    await eventually(() => succeed(store.ping))
    expect(await database.collection('apiKeys').countDocuments()).toBe(0)
  })

  it('creates indexes again that someone has dropped', async () => {
    for (const name of ['idempotency', 'status']) await database.collection('pets').dropIndex(name)
    await succeed(openStoreOf(uri).ping)
    const names = (await database.collection('pets').indexes()).map(({ name }) => name).sort()
    expect(names).toStrictEqual(['_id_', 'idempotency', 'status'])
  })

  describe('that listIndexes has while they are being built', () => {
    // the server has them before the reply to createIndexes passes
    const startHeld = async () => {
      let finish = () => {}
      const built = new Promise<void>((resolve) => {
        finish = resolve
      })
      const deadlines = { operationMs: 300, openingMs: 300 }
      const notices: Notice[] = []
      const notify = (notice: Notice) => notices.push(notice)
      const held = await openHeldStore(uri, 'createIndexes', () => built, deadlines, notify)
      const asked = (count: number) => eventually(() => expect(held.commands()).toBe(count))
      return { ...held, notices, asked, finish }
    }

    it('keep every start from being ready until they exist, also the second, and one after a restart', async () => {
      const first = await startHeld()
      const second = await startHeld()
      await Promise.all([first.asked(1), second.asked(1)])
      await first.store.close()
      const restarted = await startHeld()
      await restarted.asked(1)
      for (const { store, finish } of [second, restarted]) {
        await fail(store.ping)
        finish()
        await eventually(() => succeed(store.ping))
      }
      first.finish()
    })

    it('are told once, and awaited again however often the connection is lost', async () => {
      const { store, proxy, notices, asked, finish } = await startHeld()
      const waits = { level: 'info', message: 'waiting until indexes are built', details: { collection: 'pets' } }
      const told = () => notices.filter(({ message }) => message === waits.message)
      await asked(1)
      await eventually(() => expect(told()).toStrictEqual([waits]))
      proxy.cut()
      proxy.heal()
      await asked(2)
      await fail(store.ping)
      // no reply and no reset: the driver's heartbeats notice it
      proxy.freeze()
      proxy.heal()
      await asked(3)
      await fail(store.ping)
      finish()
      await eventually(() => succeed(store.ping))
      expect(told()).toStrictEqual([waits])
    })
  })

  it('does not open the store if two pets hold one idempotency key, and names it', async () => {
    await pets.dropIndex('idempotency')
    const event = { id: 'e', time: new Date(0) }
    const idempotency = { apiKeyId: 'a', key: 'used twice', generation: 0, expiresAt: new Date(0) }
    const holder = (id: bigint) => ({ _id: id, name: 'x', categoryId: 1n, event, idempotency })
    await pets.insertMany([holder(1n), holder(2n)])
    const notices: Notice[] = []
    const store = openStoreOf(uri, { notify: (notice) => notices.push(notice) })
    await fail(store.ping)
    await eventually(() => expect(JSON.stringify(notices)).toMatch(/cannot open the database.*E11000.*used twice/))
    // as an operator would repair it
    await pets.updateOne({ _id: 2n }, { $unset: { idempotency: '' } })
    await eventually(() => succeed(store.ping))
  })
})
