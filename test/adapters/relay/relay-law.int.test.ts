import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { keepsTheLawOfTheRelay } from './relay-law.js'

describeWith('mongodb', 'the law of the relay', (address) => {
  const { uri, clear } = testDatabase(address)
  keepsTheLawOfTheRelay(
    'two stores on one MongoDB',
    async () => {
      await clear()
      return { stores: [openStoreOf(uri), openStoreOf(uri)], close: async () => {} }
    },
    4,
  )
})
