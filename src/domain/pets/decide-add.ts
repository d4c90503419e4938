// The record of a new pet, and whether a store adds it: the rules of ids and idempotency keys, once for all stores.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../codecs/scalar.js'
import { type Unavailable, unavailable } from '../errors.js'
import type { PetCreated } from '../events/domain-event.js'
import { MAX_PET_ID, type Pet, type PetId } from './pet.js'

/** An idempotency key of one caller. The same text from another caller is another key. */
export interface IdempotencyKey {
  /** The lineage of the caller's API key, so that a retry still finds its key after a rotation. */
  readonly lineage: string
  readonly key: string
}

export interface HeldIdempotencyKey extends IdempotencyKey {
  /** The key is free again from this instant on. The store remembers its holder for another day, in case the clock is ahead. */
  readonly expiresAt: Instant
}

/**
 * Everything that is committed with a new pet: its event (which holds the pet) and, if given, its idempotency key. The id of the pet is
 * a proposal: a store gives the pet a higher one if another pet has it, or if a reader of the log may have passed it.
 */
export interface PetRecord {
  readonly event: PetCreated
  readonly idempotencyKey: O.Option<HeldIdempotencyKey>
}

/** Nothing is stored: another pet holds the idempotency key. `By`: what is known of it. */
export interface KeyTaken<By> {
  readonly _tag: 'KeyTaken'
  readonly by: By
}

/** The pet was stored under this id, or its idempotency key is taken. */
export type Added = { readonly _tag: 'Added'; readonly id: PetId } | KeyTaken<Pet>

/** How long an idempotency key is held, with whatever a store knows of the holder. */
export interface Hold {
  readonly expiresAt: Instant
}

/** The holder, if it holds its idempotency key at this instant. */
export const heldAt = <H extends Hold>(holder: O.Option<H>, at: Instant): O.Option<H> =>
  O.isSome(holder) && holder.value.expiresAt > at ? holder : O.none

/** The id if it is above the last one, else the next above that. `Unavailable` if there is none. */
export const idAbove = (last: bigint, proposed: bigint): E.Either<Unavailable, PetId> => {
  const id = proposed > last ? proposed : last + 1n
  return id <= MAX_PET_ID ? E.right(id) : E.left(unavailable(new Error('there are no more ids')))
}

export const withId = (event: PetCreated, id: PetId): PetCreated =>
  event.pet.id === id ? event : { ...event, pet: { ...event.pet, id } }

/** What a store has beside a record. */
export interface AddTarget<H extends Hold> {
  /** No pet may get an id up to here: readers of the log may have passed it. */
  readonly lastId: bigint
  /** The latest holder of the record's idempotency key, expired or not. */
  readonly holder: O.Option<H>
}

/** The event that a store adds, with the id that its pet gets; or the holder of the key. It looks up, decides and writes in one transaction. */
export const decideAdd = <H extends Hold>(
  { event }: PetRecord,
  { lastId, holder }: AddTarget<H>,
): E.Either<Unavailable, { readonly _tag: 'Add'; readonly event: PetCreated } | KeyTaken<H>> => {
  const held = heldAt(holder, event.time)
  if (O.isSome(held)) return E.right({ _tag: 'KeyTaken', by: held.value })
  return E.map((id: PetId) => ({ _tag: 'Add', event: withId(event, id) }) as const)(idAbove(lastId, event.pet.id))
}
