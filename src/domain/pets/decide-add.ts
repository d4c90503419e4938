// Decides whether and under which id a store adds a pet: the rules of ids and idempotency keys for all stores.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../codecs/scalar.js'
import { type Unavailable, unavailable } from '../errors.js'
import type { PetCreated } from '../events/domain-event.js'
import { MAX_PET_ID, type Pet, type PetId } from './pet.js'

/** An idempotency key of one caller. The same text from another caller is another key. */
export interface IdempotencyKey {
  /** The lineage of the caller's API key, so that a retry after a rotation still finds the key. */
  readonly lineage: string
  readonly key: string
}

export interface HeldIdempotencyKey extends IdempotencyKey {
  /** The key is free from this instant on. Stores keep the holder for another day, in case the clock is ahead. */
  readonly expiresAt: Instant
}

/**
 * Everything committed with a new pet: its event (which holds the pet) and its idempotency key, if any. The id is a
 * proposal: a store assigns a higher one if another pet has it or a reader of the log may have passed it.
 */
export interface PetRecord {
  readonly event: PetCreated
  readonly idempotencyKey: O.Option<HeldIdempotencyKey>
}

/** Nothing was stored, because another pet holds the idempotency key. */
export interface KeyTaken<By> {
  readonly _tag: 'KeyTaken'
  readonly by: By
}

/** The pet was stored under this id, or the idempotency key is taken. */
export type Added = { readonly _tag: 'Added'; readonly id: PetId } | KeyTaken<Pet>

/** Stores extend this with their own data about the holder of an idempotency key. */
export interface Hold {
  readonly expiresAt: Instant
}

/** The holder, unless its key has expired at this instant. */
export const heldAt = <H extends Hold>(holder: O.Option<H>, at: Instant): O.Option<H> =>
  O.isSome(holder) && holder.value.expiresAt > at ? holder : O.none

/** The proposed id if it is above the last one, else the next above that. `Unavailable` if none is left. */
export const idAbove = (last: bigint, proposed: bigint): E.Either<Unavailable, PetId> => {
  const id = proposed > last ? proposed : last + 1n
  return id <= MAX_PET_ID ? E.right(id) : E.left(unavailable(new Error('there are no more ids')))
}

export const withId = (event: PetCreated, id: PetId): PetCreated =>
  event.pet.id === id ? event : { ...event, pet: { ...event.pet, id } }

/** The state of the store to add to. */
export interface AddTarget<H extends Hold> {
  /** New pets must get higher ids, because readers of the log may have passed this one. */
  readonly lastId: bigint
  /** The latest holder of the record's idempotency key, expired or not. */
  readonly holder: O.Option<H>
}

/** The event to add, with the final id; or the holder of the key. Look up, decide and write in one transaction. */
export const decideAdd = <H extends Hold>(
  { event }: PetRecord,
  { lastId, holder }: AddTarget<H>,
): E.Either<Unavailable, { readonly _tag: 'Add'; readonly event: PetCreated } | KeyTaken<H>> => {
  const held = heldAt(holder, event.time)
  if (O.isSome(held)) return E.right({ _tag: 'KeyTaken', by: held.value })
  return E.map((id: PetId) => ({ _tag: 'Add', event: withId(event, id) }) as const)(idAbove(lastId, event.pet.id))
}
