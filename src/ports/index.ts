import type { ApiKeyStore } from './api-key-store.js'
import type { Archive } from './archive.js'
import type { Clock } from './clock.js'
import type { Crypto } from './crypto.js'
import type { EventLog, RelayState } from './event-log.js'
import type { EventPublisher } from './event-publisher.js'
import type { IdGenerator } from './id-generator.js'
import type { PetRepository } from './pet-repository.js'

/** Everything that the domain needs from outside. Each use case picks its ports. */
export interface Ports {
  readonly pets: PetRepository
  readonly ids: IdGenerator
  readonly apiKeys: ApiKeyStore
  readonly log: EventLog
  readonly relay: RelayState
  readonly archive: Archive
  readonly publisher: EventPublisher
  readonly clock: Clock
  readonly crypto: Crypto
}
