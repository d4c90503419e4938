// `animal-store`, to embed the domain or write a store: pets, codecs, use cases, port types, and every port in memory.

export { makeInProcessPublisher, type Subscriber } from '../adapters/memory/event-publisher.js'
export { makeMemoryStore } from '../adapters/memory/store.js'
export { ApiKey, apiKeyCodec, canChange, hasEndedBefore, SCOPES, Scope } from '../domain/api-keys/api-key.js'
export { type Authenticate, authenticate, type Caller } from '../domain/api-keys/authenticate.js'
export { type CreateApiKeyInput, createApiKey, type IssuedApiKey } from '../domain/api-keys/create-api-key.js'
export {
  type PruneApiKeysInput,
  pruneApiKeys,
  type RotateApiKeyInput,
  revokeApiKey,
  rotateApiKey,
} from '../domain/api-keys/end-api-key.js'
export { decideRestore, type Restored } from '../domain/archive/decide-restore.js'
export * from '../domain/codecs/from-json.js'
export {
  DurationMs,
  Instant,
  InstantFromString,
  Int64,
  instantText,
  int64FromPlainText,
  MAX_INT64,
  MIN_INT64,
} from '../domain/codecs/scalar.js'
export { type Fault, faultsOf, faultsText } from '../domain/codecs/struct.js'
export * from '../domain/errors.js'
export {
  type Backlog,
  listParked,
  type ParkedEvent,
  readBacklog,
  replayEvents,
  retryParked,
  skipEvents,
} from '../domain/events/backlog.js'
export * from '../domain/events/cloud-event.js'
export {
  type DomainEvent,
  eventNumber,
  eventSubject,
  PetCreated,
  PetCreatedFromJson,
} from '../domain/events/domain-event.js'
export {
  type Feed,
  type FeedPage,
  type FeedStart,
  type InvalidPosition,
  makeFeed,
  positionText,
} from '../domain/events/read-feed.js'
export { RelayRecord } from '../domain/events/relay-record.js'
export { type MalformedJson, parseJson } from '../domain/json/parse-json.js'
export * from '../domain/json/stringify-json.js'
export * from '../domain/pets/add-pet.js'
export type {
  Added,
  AddTarget,
  HeldIdempotencyKey,
  IdempotencyKey,
  KeyTaken,
  PetRecord,
} from '../domain/pets/decide-add.js'
export { decideAdd, type Hold, heldAt } from '../domain/pets/decide-add.js'

export * from '../domain/pets/find-pets.js'
export {
  type CategoryId,
  MAX_NAME_LENGTH,
  MAX_PET_ID,
  NewPet,
  NewPetFromJson,
  PET_STATUSES,
  Pet,
  PetFromJson,
  PetId,
  PetName,
  PetStatus,
  petFrom,
  petJson,
  petsJson,
} from '../domain/pets/pet.js'
export {
  ALL_PETS,
  DEFAULT_LIMIT,
  Limit,
  LimitFromString,
  MAX_IDS,
  MAX_LIMIT,
  MIN_LIMIT,
  matchesFilter,
  type PetFilter,
  type PetPage,
  type PetQuery,
  pageOf,
} from '../domain/pets/pet-query.js'
export type { ApiKeyChange, ApiKeyStore } from '../ports/api-key-store.js'
export type { Archive, ArchivePage, StoredRecord } from '../ports/archive.js'
export type { Clock } from '../ports/clock.js'
export type { Crypto } from '../ports/crypto.js'
export type { EventLog, LogHead, LogPage, LogRequest, RelayState } from '../ports/event-log.js'
export type { Delivery, EventPublisher, FailedDelivery, PoisonedDelivery } from '../ports/event-publisher.js'
export type { IdGenerator } from '../ports/id-generator.js'
export type { Ports } from '../ports/index.js'
export type { Damage, Notice, Notify, ReportDamage } from '../ports/notice.js'
export type { PoolLevels, StoreLevels, StoreObserver } from '../ports/observer.js'
export type { PetRepository } from '../ports/pet-repository.js'
export type { OfStorage } from '../ports/storage.js'
export type { ArchivedStore, Instrument, ServedStore, Store, StoreOperation } from '../ports/store.js'
