import { COUNTER_KEY } from '../../../src/adapters/lmdb/tables/meta-table.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { outboxContract } from '../../../src/testing/contracts/outbox.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { sharedStoreContract } from '../../../src/testing/contracts/shared-store.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from './open-store.js'

const open = async (isRelayed: boolean) => openStoreIn(await temporaryPath(), { isRelayed })

sharedStoreContract('embedded', async () => {
  const folder = await temporaryPath()
  return { open: (settings) => openStoreIn(folder, settings), close: async () => {} }
})
storeContract('embedded', () => open(false))
petRepositoryContract('embedded', () => open(false))
apiKeyStoreContract('embedded', () => open(false))
outboxContract('embedded', open)
archiveContract('embedded', open)
idGeneratorContract('embedded', async (last) => {
  const folder = await temporaryPath()
  if (last > 0n) await writeTables(folder, ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from(String(last))))
  return openStoreIn(folder)
})
