// Runs TaskEithers in tests.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/**
 * The result; throws a failure, so that the test shows it.
 *
 * @example
 * await succeed(makeMemoryStore().ids.next) // => 1n
 */
export const succeed = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error('expected a success', { cause: outcome.left })
  return outcome.right
}

/**
 * The failure; throws a result.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * await fail(getPet(ports)(7n)) // => { _tag: 'PetNotFound' }
 */
export const fail = async <F>(task: TaskEither<F, unknown>): Promise<F> => {
  const outcome = await task()
  if (E.isRight(outcome)) throw new Error('expected a failure', { cause: outcome.right })
  return outcome.left
}
