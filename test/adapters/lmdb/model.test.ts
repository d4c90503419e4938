import { it, onTestFinished } from 'vitest'
import { openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import { expectSameAnswers } from '../../support/same-answers.js'
import { makeFolder } from './folder.js'

it('the embedded store answers any requests as the memory store does', { timeout: 60_000 }, () =>
  expectSameAnswers(async () => {
    const folder = await makeFolder()
    const store = await openLmdbStore({ directory: folder.path, isRelayed: false, reportDamage: () => {} })
    onTestFinished(async () => {
      await store.close()
      await folder.remove()
    })
    return store
  }, 10),
)
