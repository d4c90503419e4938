// Long commands: they have ten minutes each, and run once.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents.js'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import type { Notice } from '../../../src/ports/notice.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openHeldStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'

/** Longer than a request would wait for a reply. */
const LONG_MS = 1_500

describeWith('mongodb', 'maintenance of MongoDB', (address) => {
  const { uri, database } = testDatabase(address)
  const slowly = () => sleep(LONG_MS)

  describe('the indexes at a start', () => {
    it('builds the indexes once, however long it takes, before the store opens', async () => {
      await database.dropDatabase()
      const { store, commands } = await openHeldStore(uri, 'createIndexes', slowly)
      await eventually(() => succeed(store.ping))
      // one command for each collection with indexes
      expect(commands()).toBe(2)
    })

    it('creates indexes again that someone has dropped', async () => {
      await succeed(ensureIndexes(uri))
      for (const name of ['idempotency', 'status']) await database.collection('pets').dropIndex(name)
      const notices: Notice[] = []
      await succeed(openStoreOf(uri, { notify: (notice) => notices.push(notice) }).ping)
      expect(notices.map(({ message }) => message)).toContain('creating missing collections, validators or indexes')
      const names = (await database.collection('pets').indexes()).map(({ name }) => name).sort()
      expect(names).toStrictEqual(['_id_', 'idempotency', 'status'])
    })

    it('does not open the store if two pets hold one idempotency key, and names it', async () => {
      await database.dropDatabase()
      await succeed(ensureIndexes(uri))
      const pets = database.collection<PetDocument>('pets')
      await pets.dropIndex('idempotency')
      const event = { id: 'e', time: new Date(0) }
      const idempotency = { apiKeyId: 'a', key: 'used twice', turn: 0, expiresAt: new Date(0) }
      const holder = (id: bigint) => ({ _id: id, name: 'x', categoryId: 1n, event, idempotency })
      await pets.insertMany([holder(1n), holder(2n)])
      const notices: Notice[] = []
      const store = openStoreOf(uri, { notify: (notice) => notices.push(notice) })
      await fail(store.ping)
      await eventually(() => expect(JSON.stringify(notices)).toMatch(/cannot open the database.*E11000.*used twice/))
      // what the operator does
      await pets.updateOne({ _id: 2n }, { $unset: { idempotency: '' } })
      await eventually(() => succeed(store.ping))
    })

    it('reports an index of another shape once, however often it tries, and builds its own when that is gone', async () => {
      await database.dropDatabase()
      await database.collection('pets').createIndexes([{ name: 'status', key: { name: 1 } }])
      const notices: Notice[] = []
      const notify = (notice: Notice) => notices.push(notice)
      const { store, commands } = await openHeldStore(uri, 'createIndexes', async () => {}, {}, notify)
      await eventually(() => expect(commands()).toBeGreaterThan(3))
      expect(notices).toMatchObject([
        { level: 'info', message: 'creating missing collections, validators or indexes' },
        { level: 'error', message: 'cannot open the database' },
      ])
      await database.collection('pets').dropIndex('status')
      await eventually(() => succeed(store.ping))
      expect(notices.at(-1)).toMatchObject({ message: 'connected to the database' })
    })
  })
})
