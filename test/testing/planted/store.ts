// A store in memory with an archive: look-ups and writes around the decisions of the domain, and one planted fault.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { byAge, canChange } from '../../../src/domain/api-keys/api-key.js'
import { unavailable } from '../../../src/domain/errors.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../../src/domain/pets/add-pet.js'
import type { Added, PetRecord } from '../../../src/domain/pets/decide-add.js'
import { decideAdd, heldAt } from '../../../src/domain/pets/decide-add.js'
import { MAX_PET_ID, type Pet } from '../../../src/domain/pets/pet.js'
import { matchesFilter, type PetFilter, pageOf } from '../../../src/domain/pets/pet-query.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { makePlantedArchive } from './archive.js'
import type { Fault } from './faults.js'
import { type Holder, lookUpsIn, nameOf, type Place } from './place.js'

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
/** Longer keys than those that a store could hold which indexes them. */
const LONGEST = 2_000

export const openPlanted = (place: Place, fault?: Fault): ArchivedStore => {
  const { storage, logId, events, held, apiKeys } = place
  const { ascending, lastStored, lastId, holderOf } = lookUpsIn(place, fault)
  const petOf = ({ petId }: Holder): Pet => {
    const event = events.get(petId)
    if (event === undefined) throw new Error(`pet ${petId} is missing`)
    return event.pet
  }
  const forgetExpired = (now: number): void => {
    const kept = fault === 'forgets an idempotency key when it expires' ? 0 : KEPT_AFTER_EXPIRY_MS
    for (const [name, { key }] of held) if (key.expiresAt + kept <= now) held.delete(name)
  }

  const decide = (record: PetRecord): Added => {
    const { id } = record.event.pet
    const isLow = id <= lastStored() && fault !== 'takes a pet below a position of the log that it has given out'
    const holder = O.flatMap(holderOf)(record.idempotencyKey)
    const decision = decideAdd(record, { isIdTaken: isLow || events.has(id), holder })
    return decision._tag === 'KeyTaken' ? { _tag: 'KeyTaken', by: petOf(decision.by) } : decision
  }
  const write = ({ event, idempotencyKey }: PetRecord): void => {
    const { pet, eventId } = event
    forgetExpired(event.time)
    events.set(pet.id, event)
    if (O.isNone(idempotencyKey)) return
    const key = idempotencyKey.value
    held.set(nameOf(key), { _tag: 'IdempotencyKey', petId: pet.id, eventId, key })
  }
  let unstorable = 0
  const add = async (record: PetRecord): Promise<Added> => {
    const isLong = O.isSome(record.idempotencyKey) && record.idempotencyKey.value.key.length > LONGEST
    if (fault === 'fails the creates beside one that it cannot store') {
      unstorable += Number(isLong)
      await turn()
      if (unstorable > 0) throw new Error('the group of writes has failed')
    }
    if (isLong) throw new Error('the key is too long')
    const decision = decide(record)
    if (fault === 'adds the pets of two retries that race') await turn()
    if (decision._tag === 'Added') write(record)
    return decision
  }

  const found = (filter: PetFilter): readonly Pet[] =>
    ascending()
      .map(({ pet }) => pet)
      .filter(matchesFilter(filter))
      .reverse()

  return {
    pets: {
      storage,
      add: (record) => TE.tryCatch(() => add(record), unavailable),
      findByIdempotencyKey: (key, at) => TE.fromIO(() => O.map(petOf)(heldAt(holderOf(key), at))),
      findById: (id) => TE.fromIO(() => O.fromNullable(events.get(id)?.pet)),
      findPage: (query) =>
        TE.fromIO(() => {
          const { before, limit } = query
          const page = pageOf(
            found(query).filter(({ id }) => O.isNone(before) || id < before.value),
            limit,
          )
          const isOver = fault === 'announces another page after the last one'
          return isOver ? { ...page, next: O.fromNullable(page.pets.at(-1)?.id) } : page
        }),
      count: (filter) => TE.fromIO(() => found(filter).length),
    },
    ids: {
      storage,
      next: async () => {
        if (lastId() >= MAX_PET_ID) return E.left(unavailable(new Error('there are no more ids')))
        place.lastDrawn = lastId() + 1n
        return E.right(place.lastDrawn)
      },
    },
    apiKeys: {
      add: (key) => async () => {
        if (apiKeys.has(key.id)) return E.left(unavailable(new Error('the id is in use')))
        apiKeys.set(key.id, key)
        return E.right(undefined)
      },
      addFirst: (key) => async () => {
        const isFirst = apiKeys.size === 0
        if (fault === 'adds two first API keys at once') await turn()
        if (isFirst) apiKeys.set(key.id, key)
        return E.right(isFirst)
      },
      find: (id) => TE.fromIO(() => O.fromNullable(apiKeys.get(id))),
      list: TE.fromIO(() => [...apiKeys.values()].sort(byAge)),
      change: (id, change) =>
        TE.fromIO(() => {
          const key = apiKeys.get(id)
          const isLax = fault === 'changes an API key after its revocation'
          if (key === undefined || !(isLax || canChange(key, change))) return O.none
          apiKeys.set(id, { ...key, ...change })
          return O.fromNullable(apiKeys.get(id))
        }),
    },
    log: {
      storage,
      read: ({ after, limit }) =>
        TE.fromIO(() => {
          const page = ascending()
            .filter(({ pet }) => pet.id > after)
            .slice(0, limit)
          const isPassed = fault === 'passes events that did not fit on a page of the log'
          const last = page.length === limit && !isPassed ? page.at(-1)?.pet.id : lastStored()
          return { events: page, damaged: [], upTo: Number(last) }
        }),
      head: TE.fromIO(() => ({ logId, last: Number(lastStored()) })),
    },
    relay: {
      storage,
      load: TE.fromIO(() => place.relay),
      save: (record) =>
        TE.fromIO(() => {
          const version = O.isSome(place.relay) ? place.relay.value.version : 0
          const isBlind = fault === 'saves the record of the relay over a newer one'
          if (!isBlind && record.version !== version + 1) return false
          place.relay = O.some(record)
          return true
        }),
    },
    archive: makePlantedArchive(place, fault),
    ping: TE.right(undefined),
    close: async () => {},
  }
}
