// The entry point `animal-store/testing`: the contract suite of each port (for vitest) and generators (for fast-check).
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
export { clockContract } from '../testing/contracts/clock.contract.js'
export { cryptoContract } from '../testing/contracts/crypto.contract.js'
export { type EventLogOptions, eventLogContract } from '../testing/contracts/event-log.contract.js'
export type { EventLogHarness, LoggedStore } from '../testing/contracts/event-log-samples.js'
export { type EventPublisherHarness, eventPublisherContract } from '../testing/contracts/event-publisher.contract.js'
export { type IdGeneratorHarness, idGeneratorContract } from '../testing/contracts/id-generator.contract.js'
export { type PetRepositoryHarness, petRepositoryContract } from '../testing/contracts/pet-repository.contract.js'
export { type RelayStateHarness, relayStateContract } from '../testing/contracts/relay-state.contract.js'
export { type SharedStoreHarness, sharedStoreContract } from '../testing/contracts/shared-store.contract.js'
export { storeContract } from '../testing/contracts/store.contract.js'
export { fail, succeed } from '../testing/outcome.js'
export { relayRecord } from '../testing/relay-record.js'
