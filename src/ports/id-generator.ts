import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { PetId } from '../domain/pets/pet.js'
import type { OfStorage } from './storage.js'

/** Proposes the ids of pets, from 1 to 2^53-1, one after the other. `PetRepository.add` decides which id a pet gets. */
export interface IdGenerator extends OfStorage {
  /**
   * The next id: greater than all that this generator has proposed, and than the id of every pet whose `add` returned before this call in
   * this instance, if its record proposed an id of a generator of this storage. Another instance may propose the same one.
   * A counter that was lost, or was behind the pets when the store was opened, resumes above the highest stored id. A counter
   * that is damaged or at its end is `Unavailable`.
   */
  readonly next: TaskEither<Unavailable, PetId>
}
