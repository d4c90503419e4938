// The entry point `animal-store`: pets, their codecs and use cases; needs only fp-ts and io-ts.
export {
  type AddPet,
  type AddPetInput,
  addPet,
  type PetAdded,
} from '../domain/add-pet.js'
export { ApiKey, apiKeyCodec, SCOPES, Scope } from '../domain/api-key.js'
export type {
  ApiKeyArchived,
  ArchiveRecord,
  EventState,
  IdempotencyKeyArchived,
  PetArchived,
  StoreState,
} from '../domain/archive/archive-record.js'
export { type Authenticate, authenticate, type Caller } from '../domain/authenticate.js'
export type { BackOff } from '../domain/back-off.js'
export {
  type CloudEventSettings,
  cloudEventAttributes,
  cloudEventJson,
  cloudEventType,
  cloudEventTypes,
} from '../domain/cloud-event.js'
export { cloudEventFromJson, type ReceivedEvent } from '../domain/cloud-event-from-json.js'
export {
  type CreateApiKey,
  type CreateApiKeyInput,
  createApiKey,
  type IssuedApiKey,
} from '../domain/create-api-key.js'
export { type DomainEvent, eventSubject, matchEvent } from '../domain/domain-event.js'
export { DurationMs } from '../domain/duration.js'
export {
  type ApiKeyNotFound,
  type ApiKeyReplaced,
  type Failure,
  type IdempotencyKeyReused,
  type InsufficientScope,
  type InvalidApiKey,
  type PetNotFound,
  type Unavailable,
  unavailable,
  type ValidationFailed,
} from '../domain/errors.js'
export { fromJson } from '../domain/from-json.js'
export { type GetPet, getPet } from '../domain/get-pet.js'
export { Instant, InstantFromString, instantText } from '../domain/instant.js'
export {
  Int64,
  Int64FromString,
  int64FromJsonNumber,
  int64FromPlainText,
  MAX_INT64,
  MIN_INT64,
} from '../domain/int64.js'
export { type MalformedJson, parseJson } from '../domain/json/parse-json.js'
export { type JsonValue, stringifyJson } from '../domain/json/stringify-json.js'
export { DEFAULT_LIMIT, Limit, LimitFromString, MAX_LIMIT, MIN_LIMIT } from '../domain/limit.js'
export { type ListPets, type ListPetsInput, listPets, type PetList } from '../domain/list-pets.js'
export {
  type CategoryId,
  MAX_NAME_LENGTH,
  MAX_PET_ID,
  NewPet,
  PET_STATUSES,
  Pet,
  PetId,
  PetName,
  PetStatus,
  petFrom,
} from '../domain/pet.js'
export { PetCreated, PetCreatedFromJson } from '../domain/pet-created.js'
export { NewPetFromJson, PetFromJson } from '../domain/pet-from-json.js'
export { petJson, petsJson } from '../domain/pet-json.js'
export { eqPet, ordPet } from '../domain/pet-order.js'
export {
  ALL_PETS,
  type AppliedMembers,
  MAX_IDS,
  matchesFilter,
  type PetFilter,
  type PetPage,
  type PetQuery,
  pageOf,
  remainingFilter,
} from '../domain/pet-query.js'
export { type RelayEvents, type RelayPass, type RelaySettings, relayEvents } from '../domain/relay-events.js'
export { type RevokeApiKey, revokeApiKey } from '../domain/revoke-api-key.js'
export { type RotateApiKey, type RotateApiKeyInput, rotateApiKey } from '../domain/rotate-api-key.js'
export { type Fault, faultsOf } from '../domain/struct.js'
