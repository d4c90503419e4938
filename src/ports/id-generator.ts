import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'

/** Gives ids to pets: 1 to 2^53-1, never the same twice, gaps allowed. */
export interface IdGenerator {
  /**
   * The next id: greater than that of every pet whose adding was answered before this call, by whatever instance.
   * A counter that is lost resumes above the highest stored id; past the last id, or when it is no number: `Unavailable`.
   */
  readonly next: TaskEither<Unavailable, bigint>
}
