// One transaction for a group of writes.
import * as E from 'fp-ts/lib/Either.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { type Connection, pause, unlessBusy } from '../file/connection.js'
import { makeWrites, type Write } from './writes.js'

export type GroupResult = readonly E.Either<Unavailable, unknown>[]

/** After another process has written, the next group waits so long for its turn: p99 12 ms beside a second writer, instead of 22 (measured). */
const YIELD_MS = 1

/**
 * Runs the writes in one transaction that is durable when it returns. One that throws takes the transaction with it, and the others run
 * again without it. `limitMs`: how long it waits for the lock. `beforeCommit` throws if nothing may be acknowledged any more.
 */
export const makeGroups = (connection: Connection, limitMs: number, beforeCommit: () => void) => {
  const version = () => connection.pragma('data_version')
  let seen = unlessBusy(version)

  const run = (group: readonly Write[]): GroupResult => {
    let current: number | undefined
    try {
      if (version() !== seen) pause(YIELD_MS)
      return connection.transaction(() => {
        seen = version()
        const writes = makeWrites(connection, group.length)
        const results = group.map(({ name, input }, at) => {
          current = at
          return E.right(writes[name](input as never))
        })
        current = undefined
        beforeCommit()
        return results
      }, limitMs)
    } catch (cause) {
      const failed = E.left(unavailable(cause))
      if (current === undefined) return group.map(() => failed)
      return run(group.toSpliced(current, 1)).toSpliced(current, 0, failed)
    }
  }

  return run
}
