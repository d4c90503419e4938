import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from '../sqlite/open-store.js'
import { keepsTheLawOfTheRelay } from './relay-law.js'

keepsTheLawOfTheRelay(
  'the store in memory',
  async () => {
    const store = makeMemoryStore()
    return { stores: [store, store], close: store.close }
  },
  100,
)

keepsTheLawOfTheRelay(
  'two embedded stores on one folder',
  async () => {
    const folder = await temporaryPath()
    const stores = [await openStoreIn(folder), await openStoreIn(folder)] as const
    const close = async (): Promise<void> => {
      for (const store of stores) await store.close()
    }
    return { stores, close }
  },
  8,
)
