// The record of a new pet, and whether a store adds it: the rules of ids and idempotency keys, once for all stores.
import * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../codecs/instant.js'
import type { PetCreated } from '../events/domain-event.js'
import type { Pet } from './pet.js'

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

/** Everything that is committed with a new pet: its event (which holds the pet) and, if given, its idempotency key. */
export interface PetRecord {
  readonly event: PetCreated
  readonly idempotencyKey: O.Option<HeldIdempotencyKey>
}

/** `By`: what is known of the holder of the idempotency key. */
export type Added<By = Pet> =
  | { readonly _tag: 'Added' }
  /** Nothing was stored: this pet holds the idempotency key. */
  | { readonly _tag: 'KeyTaken'; readonly by: By }
  /** Nothing was stored: another pet has this id, or a reader of the log may have passed it. */
  | { readonly _tag: 'IdTaken' }

/** How long an idempotency key is held, with whatever a store knows of the holder. */
export interface Hold {
  readonly expiresAt: Instant
}

/** The holder, if it holds its idempotency key at this instant. */
export const heldAt = <H extends Hold>(holder: O.Option<H>, at: Instant): O.Option<H> =>
  O.isSome(holder) && holder.value.expiresAt > at ? holder : O.none

/**
 * Whether a store adds the record; it looks up, decides and writes in one transaction. `isIdTaken`: another pet has the id, or a reader
 * of the log may have passed it. `holder`: the latest one of the record's idempotency key, expired or not.
 */
export const decideAdd = <H extends Hold>(
  { event }: PetRecord,
  { isIdTaken, holder }: { readonly isIdTaken: boolean; readonly holder: O.Option<H> },
): Added<H> => {
  if (isIdTaken) return { _tag: 'IdTaken' }
  const held = heldAt(holder, event.time)
  return O.isSome(held) ? { _tag: 'KeyTaken', by: held.value } : { _tag: 'Added' }
}
