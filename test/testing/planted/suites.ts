// The contract suites over the store without a fault, and over the store with each of them. Run by planted.test.ts.
import { describe } from 'vitest'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay-state.contract.js'
import { sharedStoreContract } from '../../../src/testing/contracts/shared-store.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'
import { FAULTS } from './faults.js'
import { makePlace } from './place.js'
import { openPlanted } from './store.js'

for (const fault of [undefined, ...FAULTS]) {
  describe(fault ?? 'no fault', () => {
    const close = async (): Promise<void> => {}
    const open = async () => openPlanted(makePlace(), fault)
    storeContract('planted', open)
    petRepositoryContract('planted', open)
    apiKeyStoreContract('planted', open)
    archiveContract('planted', open)
    idGeneratorContract('planted', async (last) => ({ ids: openPlanted(makePlace(last), fault).ids, close }))
    sharedStoreContract('planted', async () => {
      const place = makePlace()
      return { open: async () => openPlanted(place, fault), close }
    })
    const openTwo = async () => {
      const place = makePlace()
      return [openPlanted(place, fault), openPlanted(place, fault)] as const
    }
    eventLogContract('planted', async () => ({ stores: await openTwo(), close }), { runs: 5 })
    relayStateContract('planted', async () => {
      const [one, other] = await openTwo()
      return { relays: [one.relay, other.relay], close }
    })
  })
}
