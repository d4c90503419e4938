// The entry point `animal-store/testing`: the contract suite of each port and generators. Needs vitest >= 3.2 and fast-check >= 3.23.
export {
  apiKey,
  instant,
  int64,
  limit,
  newPet,
  pet,
  petCreated,
  petFilter,
  petId,
  petName,
  petStatus,
} from '../testing/arbitraries.js'
export { type ApiKeyStoreHarness, apiKeyStoreContract } from '../testing/contracts/api-key-store.contract.js'
export { archiveContract } from '../testing/contracts/archive.contract.js'
export { type EventLogOptions, eventLogContract } from '../testing/contracts/event-log.contract.js'
export { type EventLogHarness, type LoggedStore, relayRecord } from '../testing/contracts/event-log-samples.js'
export { type EventPublisherHarness, eventPublisherContract } from '../testing/contracts/event-publisher.contract.js'
export { type IdGeneratorHarness, idGeneratorContract } from '../testing/contracts/id-generator.contract.js'
export { type PetRepositoryHarness, petRepositoryContract } from '../testing/contracts/pet-repository.contract.js'
export { type RelayStateHarness, relayStateContract } from '../testing/contracts/relay-state.contract.js'
export { type SharedStoreHarness, sharedStoreContract, storeContract } from '../testing/contracts/store.contract.js'
export { clockContract, cryptoContract } from '../testing/contracts/system.contract.js'
export { fail, succeed } from '../testing/samples.js'
