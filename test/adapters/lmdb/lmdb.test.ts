import { COUNTER_KEY } from '../../../src/adapters/lmdb/tables/meta-table.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay-state.contract.js'
import { sharedStoreContract, storeContract } from '../../../src/testing/contracts/store.contract.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from './open-store.js'

const open = async () => openStoreIn(await temporaryPath())

/** Two stores on one folder, as two processes have them. */
const openTwo = async () => {
  const folder = await temporaryPath()
  const stores = [await openStoreIn(folder), await openStoreIn(folder)] as const
  const [{ relay }, { relay: other }] = stores
  const close = async () => {
    for (const store of stores) await store.close()
  }
  return { stores, relays: [relay, other] as const, close }
}

sharedStoreContract('embedded', async () => {
  const folder = await temporaryPath()
  return { open: () => openStoreIn(folder), close: async () => {} }
})
storeContract('embedded', open)
petRepositoryContract('embedded', open)
apiKeyStoreContract('embedded', open)
archiveContract('embedded', open)
eventLogContract('embedded', async () => {
  const store = await open()
  return { stores: [store, store], close: store.close }
})
eventLogContract('embedded, two on a folder', openTwo)
relayStateContract('embedded', openTwo)
idGeneratorContract('embedded', async (last) => {
  const folder = await temporaryPath()
  if (last > 0n) await writeTables(folder, ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from(String(last))))
  return openStoreIn(folder)
})
