// `animal-store/testing`, to test adapters: contract suites, generators. Needs vitest >= 3.2 and fast-check >= 3.23.

export {
  apiKey,
  character,
  domainEvent,
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
  relayRecord,
} from '../testing/arbitraries.js'
export { apiKeyStoreContract } from '../testing/contracts/api-key-store.contract.js'
export { archiveContract } from '../testing/contracts/archive.contract.js'
export {
  type EventLogOptions,
  eventLogContract,
  type PausedAddHarness,
  pausedAddContract,
} from '../testing/contracts/event-log.contract.js'
export type { EventLogHarness, LoggedStore } from '../testing/contracts/event-log-samples.js'
export { idGeneratorContract } from '../testing/contracts/id-generator.contract.js'
export { type DamageHarness, damageContract } from '../testing/contracts/pet-pages.contract.js'
export { petRepositoryContract } from '../testing/contracts/pet-repository.contract.js'
export {
  type EventPublisherHarness,
  eventPublisherContract,
  type RelayStateHarness,
  relayStateContract,
} from '../testing/contracts/relay.contract.js'
export {
  type SharedStoreHarness,
  sharedStoreContract,
  storeContract,
} from '../testing/contracts/store.contract.js'
export { fail, succeed } from '../testing/samples.js'
export type { ArchivedStore, PetFilter, ServedStore, Store } from './domain.js'
