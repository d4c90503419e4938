import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'

/** Calls a port; a defect of it counts as unavailable. */
export const attempt = <A>(call: TaskEither<Unavailable, A>): Promise<E.Either<Unavailable, A>> =>
  call().catch((defect: unknown) => E.left(unavailable(defect)))
