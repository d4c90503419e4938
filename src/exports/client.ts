// `animal-store/client`, to call the service from a browser or Node: needs only `fetch`.

export * from '../client/client-error.js'
export type { EventsOptions } from '../client/follow-events.js'
export * from '../client/make-client.js'
export type {
  NewPet,
  Pet,
  PetCreated,
  PetFilter,
  PetPage,
  PetQuery,
  PetStatus,
} from '../client/pet.js'
export type { Platform } from '../client/platform.js'
export type { CallOptions, RetrySettings } from '../client/send.js'
