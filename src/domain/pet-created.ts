// The domain event of a new pet.
import type { Instant } from './instant.js'
import type { Pet } from './pet.js'

export interface PetCreated {
  readonly _tag: 'PetCreated'
  /** Unique, and the same for every delivery of the event. */
  readonly eventId: string
  readonly time: Instant
  readonly pet: Pet
}
