import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { PetId } from '../domain/pets/pet.js'
import type { OfStorage } from './storage.js'

/** Proposes ascending ids of pets, from 1 to 2^53-1. `PetRepository.add` decides which id a pet gets. */
export interface IdGenerator extends OfStorage {
  /**
   * The next id: greater than all ids that this generator has proposed, and than the id of every pet that this instance
   * added before this call under an id proposed by a generator of this storage. Other instances may propose the same
   * id. A counter that was lost, or was behind the pets when the store was opened, resumes above the highest stored id.
   * `Unavailable` if the counter is damaged or exhausted.
   */
  readonly next: TaskEither<Unavailable, PetId>
}
