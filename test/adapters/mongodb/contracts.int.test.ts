// The contract suites over the MongoDB adapter.
import type { CounterDocument } from '../../../src/adapters/mongodb/id-counter.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay-state.contract.js'
import { sharedStoreContract, storeContract } from '../../../src/testing/contracts/store.contract.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

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

  sharedStoreContract('MongoDB', async () => {
    await clear()
    return { open: async () => openStoreOf(uri), close: clear }
  })
  storeContract('MongoDB', fresh)
  petRepositoryContract('MongoDB', fresh)
  apiKeyStoreContract('MongoDB', fresh)
  const two = async () => {
    const stores = [await fresh(), openStoreOf(uri)] as const
    return { stores, relays: [stores[0].relay, stores[1].relay] as const, close: async () => {} }
  }
  // each history waits for the ids that it has lost
  eventLogContract('MongoDB', two, { runs: 12 })
  relayStateContract('MongoDB', two)
  archiveContract('MongoDB', fresh)
  idGeneratorContract('MongoDB', async (last) => {
    const store = await fresh()
    if (last > 0n) await database.collection<CounterDocument>('counters').insertOne({ _id: 'pets', last })
    return store
  })
})
