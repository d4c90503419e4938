// Moves the log into the database between groups. SQLite's own checkpoints are off: it swallows their errors.
import { type Connection, isBusy, type Sql } from '../file/connection.js'

/** Pages of the log: 1,000 cost a third of the creates on a slow disk (measured). */
const LONG = 4_000n

type Mode = 'NOOP' | 'PASSIVE' | 'TRUNCATE'

/** `report`: each failure once, until one succeeds. */
export const makeCheckpoints = (connection: Connection, report: (cause: unknown) => void) => {
  let hasFailed = false

  /** Pages of the log, and how many of them are in the database; none if another connection is at it. */
  const checkpoint = (mode: Mode): { readonly pages: bigint; readonly done: bigint } | undefined => {
    const [busy = 1n, pages = 0n, done = 0n] = connection.first(`PRAGMA wal_checkpoint(${mode})` as Sql<bigint[]>) ?? []
    return busy === 0n ? { pages, done } : undefined
  }

  const tried = (work: () => void): void => {
    try {
      work()
      hasFailed = false
    } catch (cause) {
      if (!hasFailed && !isBusy(cause)) report(cause)
      hasFailed = true
    }
  }

  return {
    afterGroup: (): void =>
      tried(() => {
        const log = checkpoint('NOOP')
        if (log !== undefined && log.pages - log.done > LONG) checkpoint('PASSIVE')
      }),
    /** Empties the log's file, unless somebody reads or writes. */
    whenIdle: (): void => tried(() => void checkpoint('TRUNCATE')),
  }
}
