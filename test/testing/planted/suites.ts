// The contract suites over the store without a fault, and each fault under the suite that must find it. Run by planted.test.ts.
import { describe } from 'vitest'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay-state.contract.js'
import { sharedStoreContract, storeContract } from '../../../src/testing/contracts/store.contract.js'
import { FAULTS, type Fault, type Suite } from './faults.js'
import { makePlace } from './place.js'
import { openPlanted } from './store.js'

const close = async (): Promise<void> => {}
const open = (fault?: Fault) => async () => openPlanted(makePlace(), fault)
const openTwo = (fault?: Fault) => {
  const place = makePlace()
  return [openPlanted(place, fault), openPlanted(place, fault)] as const
}

const SUITES: Readonly<Record<Suite, (fault?: Fault) => void>> = {
  PetRepository: (fault) => petRepositoryContract('planted', open(fault)),
  ApiKeyStore: (fault) => apiKeyStoreContract('planted', open(fault)),
  Archive: (fault) => archiveContract('planted', open(fault)),
  EventLog: (fault) => eventLogContract('planted', async () => ({ stores: openTwo(fault), close }), { runs: 5 }),
  RelayState: (fault) =>
    relayStateContract('planted', async () => {
      const [one, other] = openTwo(fault)
      return { relays: [one.relay, other.relay], close }
    }),
  'several stores in one place': (fault) =>
    sharedStoreContract('planted', async () => {
      const place = makePlace()
      return { open: async () => openPlanted(place, fault), close }
    }),
}

describe('no fault', () => {
  storeContract('planted', open())
  idGeneratorContract('planted', async (last) => ({ ids: openPlanted(makePlace(last)).ids, close }))
  for (const suite of Object.values(SUITES)) suite()
})

for (const [suite, faults] of Object.entries(FAULTS))
  for (const fault of faults) describe(fault, () => SUITES[suite as Suite](fault))
