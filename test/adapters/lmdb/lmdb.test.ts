import * as E from 'fp-ts/lib/Either.js'
import { makeLmdbIdGenerator } from '../../../src/adapters/lmdb/id-generator.js'
import { COUNTER_KEY } from '../../../src/adapters/lmdb/tables/meta-table.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { outboxContract } from '../../../src/testing/contracts/outbox.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { sharedStoreContract } from '../../../src/testing/contracts/shared-store.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'
import { succeed } from '../../../src/testing/outcome.js'
import { makeFolder } from './folder.js'
import { openEnvironmentIn, openStoreIn } from './open-store.js'

const open = async (isRelayed: boolean) => {
  const folder = await makeFolder()
  const store = await openStoreIn(folder.path, { isRelayed })
  const close = async (): Promise<void> => {
    await store.close()
    await folder.remove()
  }
  return { ...store, close }
}

sharedStoreContract('embedded', async () => {
  const folder = await makeFolder()
  return { open: (settings) => openStoreIn(folder.path, settings), close: folder.remove }
})
storeContract('embedded', () => open(false))
petRepositoryContract('embedded', () => open(false))
apiKeyStoreContract('embedded', () => open(false))
outboxContract('embedded', open)
archiveContract('embedded', open)
idGeneratorContract('embedded', async (last) => {
  const folder = await makeFolder()
  const environment = await openEnvironmentIn(folder.path)
  if (last > 0n) {
    await succeed(
      environment.write(({ meta }) => {
        meta.putSync(COUNTER_KEY, Buffer.from(String(last)))
        return E.right(undefined)
      }),
    )
  }
  const close = async (): Promise<void> => {
    await environment.close()
    await folder.remove()
  }
  return { ids: makeLmdbIdGenerator(environment), close }
})
