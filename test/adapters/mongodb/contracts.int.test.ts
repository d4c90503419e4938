// The contract suites over the MongoDB adapter.
import type { CounterDocument } from '../../../src/adapters/mongodb/documents/counter-document.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { outboxContract } from '../../../src/testing/contracts/outbox.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { sharedStoreContract } from '../../../src/testing/contracts/shared-store.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'MongoDB', (address) => {
  const { uri, database, clear } = testDatabase(address)
  const fresh = async (isRelayed: boolean) => {
    await clear()
    return openStoreOf(uri, {
      isRelayed,
      reportDamage: ({ id, reason }) => {
        throw new Error(`${id} is damaged: ${reason}`)
      },
    })
  }

  sharedStoreContract('MongoDB', async () => {
    await clear()
    return { open: async (settings) => openStoreOf(uri, settings), close: clear }
  })
  storeContract('MongoDB', () => fresh(false))
  petRepositoryContract('MongoDB', () => fresh(false))
  apiKeyStoreContract('MongoDB', () => fresh(false))
  outboxContract('MongoDB', fresh)
  archiveContract('MongoDB', fresh)
  idGeneratorContract('MongoDB', async (last) => {
    const store = await fresh(false)
    if (last > 0n) await database.collection<CounterDocument>('counters').insertOne({ _id: 'pets', last })
    return store
  })
})
