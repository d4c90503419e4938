// The entry point `animal-store/client`: a client of the service for browsers and Node; needs only `fetch`.
export type {
  Aborted,
  ClientError,
  ErrorCode,
  Fault,
  InvalidRequest,
  NetworkError,
  ServiceError,
  TimedOut,
  UnexpectedReply,
  UnknownCode,
  ValidationFailed,
} from '../client/client-error.js'
export type { PetCreated } from '../client/event.js'
export type { EventsOptions } from '../client/follow-events.js'
export type { FirstPage, NextPage, PetFilter, PetPage, PetQuery } from '../client/list.js'
export {
  type CallOptions,
  type Client,
  type ClientSettings,
  type CreateOptions,
  type CreateResult,
  DEFAULT_RETRIES,
  makeClient,
  type PetAdded,
} from '../client/make-client.js'
export type { NewPet, Pet, PetStatus } from '../client/pet.js'
export type { Platform } from '../client/platform.js'
export { ClientFailure, orThrow, type Result } from '../client/result.js'
export type { RetrySettings } from '../client/retries.js'
