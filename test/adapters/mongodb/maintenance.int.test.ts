// Long commands: they have ten minutes each, and run once and in batches.
import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PetDocument } from '../../../src/adapters/mongodb/documents/pet-document.js'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema/indexes.js'
import type { Notice } from '../../../src/ports/notice.js'
import type { Outbox } from '../../../src/ports/outbox.js'
import { succeed } from '../../../src/testing/outcome.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openHeldStore } from '../../support/mongodb/held-store.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'

/** Longer than a request would wait for a reply. */
const LONG_MS = 2_500
const PARKED = 2_500

describeWith('mongodb', 'maintenance of MongoDB', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const slowly = () => sleep(LONG_MS)

  describe('the outbox', () => {
    beforeEach(async () => {
      await succeed(ensureIndexes(uri))
      await clear()
      await database.collection<PetDocument>('pets').insertMany(
        Array.from({ length: PARKED }, (_, at) => ({
          _id: BigInt(at + 1),
          name: 'x',
          categoryId: 1n,
          event: { id: `event-${at}`, time: new Date(1_000) },
          unsent: { parked: true, reason: 'no', failures: 5, dueAt: new Date(2_000) },
        })),
      )
    })

    it.each<readonly [string, string, (outbox: Outbox) => Promise<unknown>, unknown]>([
      [
        'counts a backlog',
        'aggregate',
        ({ backlog }) => succeed(backlog),
        { size: 0, oldest: O.none, parked: PARKED, hasSent: false },
      ],
      ['lists parked events', 'find', async ({ parked }) => (await succeed(parked)).length, PARKED],
      ['retries parked events', 'update', ({ requeue }) => succeed(requeue({ _tag: 'Parked' })), PARKED],
    ])('%s, however long each command takes, and repeats no command', async (_, command, ask, expected) => {
      let isSlow = false
      const { store, commands } = await openHeldStore(uri, command, async () => isSlow && slowly())
      await succeed(store.ping)
      const atStart = commands()
      isSlow = true
      expect(await ask(store.outbox)).toStrictEqual(expected)
      // two counts; one read; a thousand events per update
      expect(commands() - atStart).toBe({ aggregate: 2, find: 1, update: 3 }[command])
    })

    it('retries every parked event, and no others', async () => {
      const { outbox } = openStoreOf(uri)
      expect(await succeed(outbox.requeue({ _tag: 'Parked' }))).toBe(PARKED)
      expect(await succeed(outbox.backlog)).toStrictEqual({
        size: PARKED,
        oldest: O.some(1_000),
        parked: 0,
        hasSent: false,
      })
      expect(await succeed(outbox.requeue({ _tag: 'Parked' }))).toBe(0)
    })
  })

  describe('the indexes at a start', () => {
    it('are built once, however long it takes, before the store opens', async () => {
      await database.dropDatabase()
      const { store, commands } = await openHeldStore(uri, 'createIndexes', slowly)
      await eventually(() => succeed(store.ping))
      // one command for each collection with indexes
      expect(commands()).toBe(2)
    })

    it('are only read if none is missing', async () => {
      await succeed(ensureIndexes(uri))
      const notices: Notice[] = []
      await succeed(openStoreOf(uri, { notify: (notice) => notices.push(notice) }).ping)
      expect(notices.map(({ message }) => message)).toStrictEqual(['connected to the database'])
    })

    it('do not prevent a close while they are built', async () => {
      await database.dropDatabase()
      const { store, commands } = await openHeldStore(uri, 'createIndexes', () => new Promise(() => {}))
      await eventually(() => expect(commands()).toBe(1))
      const begin = performance.now()
      await store.close()
      expect(performance.now() - begin).toBeLessThan(1_000)
    })
  })
})
