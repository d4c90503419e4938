// One transaction for a group of writes.
import * as E from 'fp-ts/lib/Either.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { type Connection, opening, pause, unlessBusy } from '../file/connection.js'
import { makeWrites, type Write, type Writes } from './writes.js'

export type GroupResult = readonly E.Either<Unavailable, unknown>[]

/** After another process has written, the next group waits so long for its turn: p99 12 ms beside a second writer, instead of 22 (measured). */
const YIELD_MS = 1

const perform = <N extends keyof Writes>(writes: Writes, { name, input }: Extract<Write, { readonly name: N }>) =>
  (writes[name] as (given: typeof input) => E.Either<Unavailable, unknown>)(input)

/**
 * Runs the writes in one transaction that is durable when it returns. One that throws takes the transaction with it, and the others run
 * again without it. `limitMs`: how long it waits for the lock. `beforeCommit` throws if nothing may be acknowledged any more.
 */
export const makeGroups = (connection: Connection, limitMs: number, beforeCommit: () => void) => {
  let seen = opening(() => connection.pragma('data_version'))

  const begin = (): void => {
    const version = connection.pragma('data_version')
    if (version !== seen) pause(YIELD_MS)
    unlessBusy(() => connection.exec('BEGIN IMMEDIATE'), limitMs)
    seen = connection.pragma('data_version')
  }

  return (group: readonly Write[]): GroupResult => {
    const results: E.Either<Unavailable, unknown>[] = group.map(() => E.right(undefined))
    let left = [...group.keys()]
    while (left.length > 0) {
      let current: number | undefined
      try {
        begin()
        const writes = makeWrites(connection, left.length)
        for (const at of left) {
          current = at
          const write = group[at]
          if (write !== undefined) results[at] = perform(writes, write)
        }
        current = undefined
        beforeCommit()
        connection.exec('COMMIT')
        return results
      } catch (cause) {
        if (connection.isInTransaction()) connection.exec('ROLLBACK')
        const failed = current === undefined ? left : [current]
        for (const at of failed) results[at] = E.left(unavailable(cause))
        left = left.filter((at) => !failed.includes(at))
      }
    }
    return results
  }
}
