import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { PetId } from '../domain/pets/pet.js'
import type { OfStorage } from './storage.js'

/** Proposes ascending ids of pets, from 1 to 2^53-1. `PetRepository.add` decides which id a pet gets. */
export interface IdGenerator extends OfStorage {
  /**
   * Greater than every id that this instance has proposed or added. Other instances may propose the same. A counter
   * that was lost, or was behind the pets when the store was opened, resumes above the highest stored id.
   * `Unavailable` if the counter is damaged or exhausted.
   */
  readonly next: TaskEither<Unavailable, PetId>
}
