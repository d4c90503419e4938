// Proposed ids, the log of events, which are stored in the rows of their pets, and the record of the relay.
import type { EventLog, IdGenerator, OfStorage, RelayState } from 'animal-store'
import { damagedError, faultsText, fromJson, MAX_PET_ID, RelayRecord } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Run } from './database.js'
import { eventOf } from './pets.js'

const RelayRecordFromJson = fromJson('RelayRecordFromJson', RelayRecord)

const headIn = async (run: Run) => {
  const [row] = await run('SELECT last_id, log_id FROM store')
  return { logId: String(row?.['log_id']), last: Number(row?.['last_id']) }
}

/** No counter in the database: `add` replaces a proposed id that another instance has used. */
export const makeIds = ({ read }: Database, { storage }: OfStorage): IdGenerator => {
  let proposed = 0
  return {
    storage,
    next: read(async (run) => {
      const { last } = await headIn(run)
      proposed = Math.max(proposed, last) + 1
      if (proposed > MAX_PET_ID) throw new Error('there are no more ids')
      return BigInt(proposed)
    }),
  }
}

/** An add uses an id above `last_id` and raises it in one transaction: nothing appears at or below a read `last_id`. */
export const makeLog = ({ read }: Database, { storage }: OfStorage): EventLog => ({
  storage,
  head: read(headIn),
  read: ({ after, limit }) =>
    read(async (run) => {
      const { last } = await headIn(run)
      const sql = 'SELECT * FROM pets WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3'
      const rows = await run(sql, [after, last, limit])
      const read = rows.map((row) => ({ number: Number(row['id']), event: eventOf(row) }))
      return {
        events: read.flatMap(({ event }) => (E.isRight(event) ? [event.right] : [])),
        damaged: read.flatMap(({ number, event }) => (E.isLeft(event) ? [number] : [])),
        upTo: rows.length < limit ? last : Number(read.at(-1)?.number),
      }
    }),
})

const recordIn = (text: unknown): O.Option<RelayRecord> => {
  if (text === null) return O.none
  const record = RelayRecordFromJson.decode(text)
  if (E.isRight(record)) return O.some(record.right)
  const reason = faultsText(record.left)
  throw damagedError('the record of the relay is damaged', { record: 'relay record', id: 'events', reason })
}

export const makeRelayState = ({ read, write }: Database, { storage }: OfStorage): RelayState => ({
  storage,
  load: read(async (run) => recordIn((await run('SELECT relay FROM store'))[0]?.['relay'])),
  save: (record) =>
    write(async (run, store) => {
      const stored = recordIn(store['relay'])
      const isNext = record.version === (O.isSome(stored) ? stored.value.version : 0) + 1
      if (isNext) await run('UPDATE store SET relay = $1', [RelayRecordFromJson.encode(record)])
      return isNext
    }),
})
