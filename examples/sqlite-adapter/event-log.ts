// The log of events, which are in the rows of their pets, and the record of its relay. Commits come one after another, so no gap in
// the log ever fills: `add` refuses an id that is not above the last one.

import type { EventLog, LogPage, LogRequest, OfStorage, RelayState } from 'animal-store'
import { eventNumber, fromJson, PetCreatedFromJson, RelayRecord } from 'animal-store'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'node-sqlite3-wasm'
import { factOf, lastId, query, transaction } from './database.js'

const RelayRecordFromJson = fromJson('RelayRecordFromJson', RelayRecord)

export const makeSqliteEventLog = (database: Database, { storage }: OfStorage): EventLog => {
  const read = ({ after, limit }: LogRequest): LogPage => {
    const rows = database.all('SELECT id, event FROM pets WHERE id > ? ORDER BY id LIMIT ?', [after, limit])
    const events = rows.flatMap(({ event }) => {
      const decoded = PetCreatedFromJson.decode(event)
      return decoded._tag === 'Right' ? [decoded.right] : []
    })
    const numbers = rows.map(({ id }) => Number(id))
    const decoded = new Set(events.map(eventNumber))
    return {
      events,
      damaged: numbers.filter((number) => !decoded.has(number)),
      // a later commit may have added what these rows do not have
      upTo: numbers.at(-1) ?? Math.min(after, lastId(database)),
    }
  }

  return {
    storage,
    read: (request) => query(() => read(request)),
    head: query(() => ({ logId: factOf(database, 'log') ?? '', last: lastId(database) })),
  }
}

export const makeSqliteRelayState = (database: Database, { storage }: OfStorage): RelayState => {
  const load = (): O.Option<RelayRecord> => {
    const text = factOf(database, 'relay')
    if (text === undefined) return O.none
    const record = RelayRecordFromJson.decode(text)
    if (record._tag === 'Left') throw new Error('the record of the relay is damaged')
    return O.some(record.right)
  }

  const save = (record: RelayRecord): boolean => {
    const stored = load()
    if (record.version !== (O.isSome(stored) ? stored.value.version : 0) + 1) return false
    database.run("REPLACE INTO facts VALUES ('relay', ?)", RelayRecordFromJson.encode(record))
    return true
  }

  return { storage, load: query(load), save: (record) => transaction(database, () => save(record)) }
}
