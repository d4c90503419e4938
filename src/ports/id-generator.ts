import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { PetId } from '../domain/pets/pet.js'
import type { OfStorage } from './storage.js'

/**
 * Assigns the ids of pets, from 1 to 2^53-1, one after the other. An id that no pet received may be skipped, or assigned again.
 */
export interface IdGenerator extends OfStorage {
  /**
   * The next id: greater than the id of every pet whose `add` returned before this call, in any instance.
   * A counter that was lost, or was behind the pets when the store was opened, resumes above the highest stored id. A counter
   * that is damaged or at its end is `Unavailable`.
   */
  readonly next: TaskEither<Unavailable, PetId>
}
