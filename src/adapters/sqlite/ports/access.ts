// What every port of the store works with.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { ReportDamage } from '../../../ports/notice.js'
import type { Connection } from '../file/connection.js'
import type { Writer } from '../writing/writer.js'

export interface Access extends Pick<Writer, 'write'> {
  /** The connection of the main thread, which only reads: each statement is a snapshot of its own. */
  readonly connection: Connection
  readonly storage: symbol
  readonly reportDamage: ReportDamage
  /** Takes each id that a pet has got: the next ones are greater. */
  readonly added: (id: bigint) => void
}

/** A job that throws is `Unavailable`. */
export const read =
  <A>(job: () => A): TaskEither<Unavailable, A> =>
  async () => {
    try {
      return E.right(job())
    } catch (cause) {
      return E.left(unavailable(cause))
    }
  }
