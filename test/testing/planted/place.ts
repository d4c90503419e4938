// The contents of a store in memory, and the look-ups in them.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import type { NamedKey } from '../../../src/domain/archive/decide-merge.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import type { RelayRecord } from '../../../src/domain/events/relay-record.js'
import type { HeldIdempotencyKey, IdempotencyKey } from '../../../src/domain/pets/decide-add.js'
import type { Fault } from './faults.js'

/** Any number of stores can be open on it. */
export interface Place {
  readonly storage: symbol
  readonly logId: string
  readonly events: Map<bigint, PetCreated>
  readonly held: Map<string, NamedKey>
  readonly apiKeys: Map<string, ApiKey>
  relay: O.Option<RelayRecord>
  lastDrawn: bigint
}

export const makePlace = (lastDrawn = 0n): Place => ({
  storage: Symbol('planted'),
  logId: crypto.randomUUID(),
  events: new Map(),
  held: new Map(),
  apiKeys: new Map(),
  relay: O.none,
  lastDrawn,
})

export type Holder = HeldIdempotencyKey & { readonly petId: bigint }

export const nameOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

export const lookUpsIn = (place: Place, fault?: Fault) => {
  const { events, held } = place
  const ascending = (): readonly PetCreated[] =>
    [...events.values()].sort((one, other) => (one.pet.id < other.pet.id ? -1 : 1))
  const lastStored = (): bigint => ascending().at(-1)?.pet.id ?? 0n
  const lastId = (): bigint => {
    const stored = fault === 'draws ids below stored pets after the counter was lost' ? 0n : lastStored()
    return stored > place.lastDrawn ? stored : place.lastDrawn
  }

  const holderOf = (key: IdempotencyKey): O.Option<Holder> => {
    const found = held.get(nameOf(key))
    if (found === undefined) return O.none
    const early = fault === 'frees an idempotency key a millisecond early' ? 1 : 0
    return O.some({ ...found.key, petId: found.petId, expiresAt: found.key.expiresAt - early })
  }
  return { ascending, lastStored, lastId, holderOf }
}
