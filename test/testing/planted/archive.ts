// The archive of the store, over the decisions of the domain.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type MergeTarget, mergeInto } from '../../../src/domain/archive/decide-merge.js'
import type { Archive, ArchiveItem } from '../../../src/ports/archive.js'
import type { Fault } from './faults.js'
import { lookUpsIn, nameOf, type Place } from './place.js'

export const makePlantedArchive = (place: Place, fault?: Fault): Archive => {
  const { events, held, apiKeys } = place
  const { ascending, lastId, holderOf } = lookUpsIn(place, fault)

  const target: MergeTarget = {
    lastId: () => E.right(lastId()),
    putLastId: (last) => {
      if (fault !== 'leaves the counter behind imported pets') place.lastDrawn = last
    },
    pet: (id) => {
      const isHidden = fault === 'overwrites a pet that differs from the imported one'
      return E.right(isHidden ? O.none : O.fromNullable(events.get(id)))
    },
    putPet: (event) => void events.set(event.pet.id, event),
    apiKey: (id) => {
      const isHidden = fault === 'replaces an API key by an older state of it'
      return E.right(isHidden ? O.none : O.fromNullable(apiKeys.get(id)))
    },
    putApiKey: (key) => void apiKeys.set(key.id, key),
    holder: (key) => {
      const isHidden = fault === 'takes a key from the pet that holds it for an imported one'
      return E.right(isHidden ? O.none : holderOf(key))
    },
    putIdempotencyKey: (record) => void held.set(nameOf(record.key), record),
  }

  const keysOf = (id: bigint, now: number): readonly ArchiveItem[] =>
    [...held.values()].filter(({ petId, key }) => petId === id && key.expiresAt > now)

  return {
    size: TE.fromIO(() => events.size + held.size + apiKeys.size),
    read: async function* (now) {
      yield E.right([{ _tag: 'StoreState', lastId: lastId() } as const])
      yield E.right([...apiKeys.values()].map((key) => ({ _tag: 'ApiKey', key }) as const))
      yield E.right(ascending().map((event) => ({ _tag: 'Pet', event }) as const))
      yield E.right(ascending().flatMap(({ pet }) => keysOf(pet.id, now)))
    },
    merge: (records, now) =>
      TE.fromIO(() =>
        records.map((record) => {
          const isNameless = fault === 'gives the key of a refused pet to the pet that has its id'
          if (record._tag !== 'IdempotencyKey' || !isNameless) return mergeInto(target, record, now)
          const { eventId, ...nameless } = record
          return mergeInto(target, nameless, now)
        }),
      ),
  }
}
