// The log and the relay's record of the memory adapter. Adds come one after another, so no gap in the log ever fills.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RelayRecord } from '../../domain/events/relay-record.js'
import type { EventLog, LogPage, LogRequest } from '../../ports/event-log.js'
import type { RelayState } from '../../ports/relay-state.js'
import type { OfStorage } from '../../ports/storage.js'
import type { PetRecords } from './pet-records.js'

export const makeMemoryEventLog = (records: PetRecords): EventLog => {
  const { storage, logId, events, all } = records

  const read = ({ after, limit }: LogRequest): LogPage => {
    const pets = all.oldest(limit, BigInt(after))
    const last = pets.length === limit ? pets.at(-1)?.id : undefined
    return {
      events: pets.flatMap(({ id }) => events.get(Number(id)) ?? []),
      damaged: [],
      upTo: Number(last ?? all.lastId()),
    }
  }

  return {
    storage,
    read: (request) => TE.fromIO(() => read(request)),
    // ids that were drawn and not used are no part of the log, as in every store whose commits are in order
    head: TE.fromIO(() => ({ logId, last: Number(all.lastId()) })),
  }
}

export const makeMemoryRelayState = ({ storage }: OfStorage): RelayState => {
  let stored: O.Option<RelayRecord> = O.none

  const save = (record: RelayRecord): boolean => {
    if (record.version !== (O.isSome(stored) ? stored.value.version : 0) + 1) return false
    stored = O.some(record)
    return true
  }

  return { storage, load: TE.fromIO(() => stored), save: (record) => TE.fromIO(() => save(record)) }
}
