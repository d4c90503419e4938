import { it } from 'vitest'
import type { CounterDocument } from '../../../src/adapters/mongodb/id-counter.js'
import { damageContract } from '../../../src/testing/contracts/pet-pages.contract.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { expectSameResponses } from '../../support/http/same-responses.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { storeSuites } from '../../support/stores/store-suites.js'

describeWith('mongodb', 'MongoDB', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const fresh = async () => {
    await clear()
    return openStoreOf(uri, {
      reportDamage: ({ id, reason }) => {
        throw new Error(`${id} is damaged: ${reason}`)
      },
    })
  }

  storeSuites('mongodb', {
    open: fresh,
    openTwo: async () => [await fresh(), openStoreOf(uri)],
    openAfter: async (last) => {
      const store = await fresh()
      if (last > 0n) await database.collection<CounterDocument>('counters').insertOne({ _id: 'pets', last })
      return store
    },
    share: async () => {
      await clear()
      return { open: async () => openStoreOf(uri), close: clear }
    },
    // each history waits for its lost ids, so there are few
    log: { runs: 8 },
  })

  damageContract('mongodb', async () => {
    await clear()
    const found = database.collection<{ readonly _id: bigint; readonly name: unknown }>('pets')
    const damage = (_id: bigint) => found.updateOne({ _id }, { $set: { name: 7 } })
    const relays = database.collection<{ readonly _id: string; readonly position: unknown }>('relay')
    const damageRelay = () => relays.updateOne({ _id: 'events' }, { $set: { position: 'x' } })
    return { ...openStoreOf(uri), damage, damageRelay }
  })

  it('answers any requests like the memory store', { timeout: 120_000 }, () =>
    expectSameResponses(async () => {
      await clear()
      return openStoreOf(uri)
    }, 6),
  )
})
