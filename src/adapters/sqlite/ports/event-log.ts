// What every port of the store works with; and the log of events, which are in the rows of their pets.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type TaskEither, tryCatch } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { EventLog } from '../../../ports/event-log.js'
import type { ReportDamage } from '../../../ports/notice.js'
import type { Connection } from '../file/connection.js'
import { decodeEvent, eventRows, highestId } from '../records.js'
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
export const read = <A>(job: () => A): TaskEither<Unavailable, A> => tryCatch(async () => job(), unavailable)

/** Commits come one after another, so no gap ever fills; one that can be read is synced, so a crash takes back nothing that was read. */
export const makeSqliteEventLog = ({ connection, storage, reportDamage }: Access, logId: string): EventLog => {
  const lastNumber = () => Number(highestId(connection))
  return {
    storage,
    head: read(() => ({ logId, last: lastNumber() })),
    read: ({ after, limit }) =>
      read(() => {
        // before the rows: what is added in between is on this page or on the next one
        const last = lastNumber()
        const rows = eventRows(connection, after, limit)
        const { left: damages, right: events } = RA.separate(rows.map(decodeEvent))
        for (const damage of damages) reportDamage(damage)
        const end = Number(rows.at(-1)?.[0] ?? last)
        const upTo = rows.length === limit ? end : Math.max(last, end)
        return { events, damaged: damages.map(({ id }) => Number(id)), upTo }
      }),
  }
}
