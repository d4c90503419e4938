// Decides whether a store adds a pet: the rules of ids and idempotency keys, once for all stores.
import * as O from 'fp-ts/lib/Option.js'
import type { Added, PetRecord } from '../../ports/pet-repository.js'
import type { Instant } from '../codecs/instant.js'

/** How long an idempotency key is held, with whatever a store knows of the holder. */
export interface Hold {
  readonly expiresAt: Instant
}

/**
 * The holder, if it holds its idempotency key at this instant.
 *
 * @example
 * heldAt(O.some({ petId: 1, expiresAt: 2_000 }), 2_000) // => O.none
 */
export const heldAt = <H extends Hold>(holder: O.Option<H>, at: Instant): O.Option<H> =>
  O.isSome(holder) && holder.value.expiresAt > at ? holder : O.none

/**
 * Whether a store adds the record; it looks up, decides and writes in one transaction. `isIdTaken`: another pet has the id, or a reader
 * of the log may have passed it. `holder`: the latest one of the record's idempotency key, expired or not.
 *
 * @example
 * const event = { _tag: 'PetCreated', eventId: 'e2', time: 1_000, pet: { id: 2n, name: 'Rex', categoryId: 7n } } as const
 * const record = { event, idempotencyKey: O.some({ lineage: 'a', key: 'k', expiresAt: 3_000 }) }
 * const by = { petId: 1, expiresAt: 2_000 }
 * decideAdd(record, { isIdTaken: false, holder: O.some(by) }) // => { _tag: 'KeyTaken', by }
 */
export const decideAdd = <H extends Hold>(
  { event }: PetRecord,
  { isIdTaken, holder }: { readonly isIdTaken: boolean; readonly holder: O.Option<H> },
): Added<H> => {
  if (isIdTaken) return { _tag: 'IdTaken' }
  const held = heldAt(holder, event.time)
  return O.isSome(held) ? { _tag: 'KeyTaken', by: held.value } : { _tag: 'Added' }
}
