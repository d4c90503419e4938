// The log of events, which are in the rows of their pets. Commits come one after another, so no gap in the log ever fills; a commit can be
// read once it is synced, so a crash takes back nothing that was read.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { EventLog } from '../../../ports/event-log.js'
import { decodeEvent, eventRows, highestId } from '../records.js'
import { type Access, read } from './access.js'

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
