// The log of events, which are in the records of their pets, and the record of its relay. Commits come one after another, so no gap in
// the log ever fills; a commit can be read once it is synced to disk, so a crash takes back nothing that was read.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unavailable } from '../../domain/errors.js'
import type { PetCreated } from '../../domain/events/domain-event.js'
import { RelayRecord } from '../../domain/events/relay-record.js'
import type { EventLog, LogHead, LogPage, LogRequest, RelayState } from '../../ports/event-log.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { Environment, WriteResult } from './environment/environment.js'
import { highestStoredId, RELAY_KEY, storedRelay } from './tables/meta-table.js'
import { decodePetRecord } from './tables/pet-table.js'
import { encodeStored } from './tables/stored-json.js'
import { LOG_ID_KEY, type Tables } from './tables/tables.js'

const lastNumber = (tables: Tables): number => Number(highestStoredId(tables))

export const makeLmdbEventLog = ({ storage, read: readTables }: Environment, reportDamage: ReportDamage): EventLog => {
  const read = (tables: Tables, { after, limit }: LogRequest): LogPage => {
    const events: PetCreated[] = []
    const damaged: number[] = []
    let last = after
    for (const { key, value } of tables.pets.getRange({ start: after + 1, limit })) {
      const event = decodePetRecord(key, value)
      last = key
      if (E.isRight(event)) {
        events.push(event.right)
      } else {
        damaged.push(key)
        reportDamage({ record: 'pet', id: String(key), reason: event.left })
      }
    }
    const isFull = events.length + damaged.length === limit
    return { events, damaged, upTo: isFull ? last : lastNumber(tables) }
  }

  const head = (tables: Tables): LogHead => {
    const logId = tables.meta.get(LOG_ID_KEY)?.toString()
    // the environment reports it as Unavailable
    if (logId === undefined) throw new Error('the id of the log is missing')
    return { logId, last: lastNumber(tables) }
  }

  return {
    storage,
    read: (request) => readTables((tables) => read(tables, request)),
    head: readTables(head),
  }
}

export const makeLmdbRelayState = ({ storage, read, write }: Environment): RelayState => {
  const load = (tables: Tables): O.Option<RelayRecord> => {
    const stored = storedRelay(tables)
    // the environment reports it as Unavailable
    if (E.isLeft(stored)) throw new Error(stored.left)
    return stored.right
  }

  const save = (tables: Tables, record: RelayRecord): WriteResult<boolean> => {
    const stored = storedRelay(tables)
    if (E.isLeft(stored)) return E.left(unavailable(new Error(stored.left)))
    const version = O.isSome(stored.right) ? stored.right.value.version : 0
    if (record.version !== version + 1) return E.right(false)
    tables.meta.putSync(RELAY_KEY, encodeStored(RelayRecord, record))
    return E.right(true)
  }

  return {
    storage,
    load: read(load),
    save: (record) => write((tables) => save(tables, record)),
  }
}
