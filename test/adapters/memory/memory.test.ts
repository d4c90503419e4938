import { makeMemoryApiKeyStore } from '../../../src/adapters/memory/api-key-store.js'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryIdGenerator } from '../../../src/adapters/memory/id-generator.js'
import { makeMemoryOutbox } from '../../../src/adapters/memory/outbox.js'
import { makePetRecords } from '../../../src/adapters/memory/pet-records.js'
import { makeMemoryPetRepository } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { PetCreated } from '../../../src/domain/events/pet-created.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { eventPublisherContract } from '../../../src/testing/contracts/event-publisher.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { outboxContract } from '../../../src/testing/contracts/outbox.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'

const close = async (): Promise<void> => {}

storeContract('memory', async () => makeMemoryStore({ isRelayed: false }))
petRepositoryContract('memory', async () => ({ pets: makeMemoryPetRepository(makePetRecords(false)), close }))
idGeneratorContract('memory', async (last) => ({ ids: makeMemoryIdGenerator(last), close }))
apiKeyStoreContract('memory', async () => ({ apiKeys: makeMemoryApiKeyStore(), close }))
outboxContract('memory', async (isRelayed) => {
  const records = makePetRecords(isRelayed)
  return { pets: makeMemoryPetRepository(records), outbox: makeMemoryOutbox(records), close }
})
eventPublisherContract('in process', async () => {
  const events: PetCreated[] = []
  const subscriber = (event: PetCreated): void => {
    events.push(event)
  }
  return { publisher: makeInProcessPublisher([subscriber]), received: async () => events, close }
})
