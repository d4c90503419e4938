import { it, onTestFinished } from 'vitest'
import { makeMongoStore } from '../../../src/adapters/mongodb/store.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { expectSameAnswers } from '../../support/http/same-answers.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'the MongoDB store', (address) => {
  const { uri, clear } = testDatabase(address)

  it('answers any requests like the memory store', { timeout: 120_000 }, () =>
    expectSameAnswers(async () => {
      await clear()
      const store = makeMongoStore({ uri, isRelayed: false, reportDamage: () => {}, notify: () => {} })
      onTestFinished(store.close)
      return store
    }, 10),
  )
})
