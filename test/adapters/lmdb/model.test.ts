import { it, onTestFinished } from 'vitest'
import { expectSameAnswers } from '../../support/http/same-answers.js'
import { makeFolder } from './folder.js'
import { openStoreIn } from './open-store.js'

it('the embedded store answers any requests like the memory store', { timeout: 60_000 }, () =>
  expectSameAnswers(async () => {
    const folder = await makeFolder()
    const store = await openStoreIn(folder.path)
    onTestFinished(async () => {
      await store.close()
      await folder.remove()
    })
    return store
  }, 10),
)
