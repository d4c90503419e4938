// `animal-store/client`, for whoever calls the service from a browser or Node: needs only `fetch`.
export * from '../client/client-error.js'
export type { EventsOptions } from '../client/follow-events.js'
export type { FirstPage, NextPage, PetFilter, PetPage, PetQuery } from '../client/list.js'
export * from '../client/make-client.js'
export type { NewPet, Pet, PetCreated, PetStatus } from '../client/pet.js'
export type { Platform } from '../client/platform.js'
export type { RetrySettings } from '../client/retries.js'
