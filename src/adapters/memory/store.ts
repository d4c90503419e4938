// A store in memory, lost when the process ends: for tests and demos.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ApiKey, byAge, canChange, hasEndedBefore } from '../../domain/api-keys/api-key.js'
import { unavailable } from '../../domain/errors.js'
import type { RelayRecord } from '../../domain/events/relay-record.js'
import { idAbove } from '../../domain/pets/decide-add.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { EventLog, LogPage, LogRequest, RelayState } from '../../ports/event-log.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import type { Store } from '../../ports/store.js'
import { countUpTo, lastIdIn, makeMemoryPetRepository, makePetRecords, type PetRecords } from './pet-repository.js'

export const makeMemoryIdGenerator = (records: PetRecords): IdGenerator => ({
  storage: records.storage,
  next: () => {
    // pets may have been added with ids that were not drawn here
    const id = idAbove(lastIdIn(records), records.lastDrawn + 1n)
    if (E.isRight(id)) records.lastDrawn = id.right
    return Promise.resolve(id)
  },
})

const makeApiKeyStore = (): ApiKeyStore => {
  const keys = new Map<string, ApiKey>()
  return {
    add: (key) => async () => {
      if (keys.has(key.id)) return E.left(unavailable(new Error(`key id ${key.id} is in use`)))
      keys.set(key.id, key)
      return E.right(undefined)
    },
    addFirst: (key) =>
      TE.fromIO(() => {
        const isFirst = keys.size === 0
        if (isFirst) keys.set(key.id, key)
        return isFirst
      }),
    find: (id) => TE.fromIO(() => O.fromNullable(keys.get(id))),
    list: TE.fromIO(() => [...keys.values()].sort(byAge)),
    change: (id, change) =>
      TE.fromIO(() => {
        const key = keys.get(id)
        if (key === undefined || !canChange(key, change)) return O.none
        const changed = { ...key, ...change }
        keys.set(id, changed)
        return O.some(changed)
      }),
    removeEnded: (before) =>
      TE.fromIO(() => {
        const ended = [...keys.values()].filter((key) => hasEndedBefore(key, before))
        for (const { id } of ended) keys.delete(id)
        return ended.length
      }),
  }
}

/** Pets are added in order of id, so no gap in the log ever fills. */
const makeEventLog = (records: PetRecords): EventLog => {
  const { storage, events, all } = records
  const logId = crypto.randomUUID()

  const read = ({ after, limit }: LogRequest): LogPage => {
    const start = countUpTo(BigInt(after), records)
    const pets = all.slice(start, start + limit)
    const last = pets.length === limit ? pets.at(-1)?.id : undefined
    return {
      events: pets.flatMap(({ id }) => events.get(Number(id)) ?? []),
      damaged: [],
      upTo: Number(last ?? lastIdIn(records)),
    }
  }

  return {
    storage,
    read: (request) => TE.fromIO(() => read(request)),
    // ids that were drawn but not used are not part of the log, as in every store with ordered commits
    head: TE.fromIO(() => ({ logId, last: Number(lastIdIn(records)) })),
  }
}

const makeRelayState = ({ storage }: PetRecords): RelayState => {
  let stored: O.Option<RelayRecord> = O.none

  const save = (record: RelayRecord): boolean => {
    if (record.version !== (O.isSome(stored) ? stored.value.version : 0) + 1) return false
    stored = O.some(record)
    return true
  }

  return { storage, load: TE.fromIO(() => stored), save: (record) => TE.fromIO(() => save(record)) }
}

export const makeMemoryStore = (): Store => {
  const records = makePetRecords()
  return {
    pets: makeMemoryPetRepository(records),
    ids: makeMemoryIdGenerator(records),
    apiKeys: makeApiKeyStore(),
    log: makeEventLog(records),
    relay: makeRelayState(records),
    ping: TE.right(undefined),
    close: async () => {},
  }
}
