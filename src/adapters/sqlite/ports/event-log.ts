// The log of events, which are in the rows of their pets, and the record of its relay. Commits come one after another, so no gap in the
// log ever fills; a commit can be read once it is synced, so a crash takes back nothing that was read.
import * as E from 'fp-ts/lib/Either.js'
import type { DomainEvent } from '../../../domain/events/domain-event.js'
import type { EventLog, LogPage, LogRequest, RelayState } from '../../../ports/event-log.js'
import type { ReportDamage } from '../../../ports/notice.js'
import { decodeEvent, eventRows, findRelay, highestId } from '../records.js'
import type { Writer } from '../writing/writer.js'
import type { Reader } from './reader.js'

export const makeSqliteEventLog = (
  { connection, read, storage }: Reader,
  logId: string,
  reportDamage: ReportDamage,
): EventLog => {
  const readPage = ({ after, limit }: LogRequest): LogPage => {
    // before the rows: what is added in between is on this page or on the next one
    const last = Number(highestId(connection))
    const events: DomainEvent[] = []
    const damaged: number[] = []
    const rows = eventRows(connection, after, limit)
    for (const row of rows) {
      const event = decodeEvent(row)
      if (E.isRight(event)) events.push(event.right)
      else {
        damaged.push(Number(row[0]))
        reportDamage({ record: 'pet', id: String(row[0]), reason: event.left })
      }
    }
    const end = rows.length === 0 ? last : Number(rows.at(-1)?.[0])
    return { events, damaged, upTo: rows.length === limit ? end : Math.max(last, end) }
  }

  return {
    storage,
    read: (request) => read(() => readPage(request)),
    head: read(() => ({ logId, last: Number(highestId(connection)) })),
  }
}

export const makeSqliteRelayState = (
  { connection, read, storage }: Reader,
  { write }: Pick<Writer, 'write'>,
): RelayState => ({
  storage,
  load: read(() => {
    const stored = findRelay(connection)
    if (E.isLeft(stored)) throw new Error(stored.left)
    return stored.right
  }),
  save: (record) => write('saveRelay', record),
})
