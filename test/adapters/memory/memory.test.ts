import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makePetRecords } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryIdGenerator, makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { eventPublisherContract } from '../../../src/testing/contracts/event-publisher.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay-state.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'

const close = async (): Promise<void> => {}

storeContract('memory', async () => makeMemoryStore())
petRepositoryContract('memory', async () => makeMemoryStore())
idGeneratorContract('memory', async (last) => ({ ids: makeMemoryIdGenerator(makePetRecords(last)), close }))
apiKeyStoreContract('memory', async () => ({ apiKeys: makeMemoryStore().apiKeys, close }))
eventLogContract('memory', async () => {
  const store = makeMemoryStore()
  return { stores: [store, store], close }
})
relayStateContract('memory', async () => {
  const { relay } = makeMemoryStore()
  return { relays: [relay, relay], close }
})
eventPublisherContract('in process', async () => {
  const events: PetCreated[] = []
  let isAway = false
  const subscribers = [
    async () => {
      if (isAway) throw new Error('away')
    },
    (event: PetCreated): void => void events.push(event),
  ]
  const setAway = (value: boolean) => async (): Promise<void> => {
    isAway = value
  }
  const [interrupt, restore] = [setAway(true), setAway(false)]
  return { publisher: makeInProcessPublisher(subscribers), received: async () => events, interrupt, restore, close }
})
