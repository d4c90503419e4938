import { it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { expectSameResponses } from '../../support/http/same-responses.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'the MongoDB store', (address) => {
  const { uri, clear } = testDatabase(address)

  it('answers any requests like the memory store', { timeout: 120_000 }, () =>
    expectSameResponses(async () => {
      await clear()
      return openStoreOf(uri)
    }, 6),
  )
})
