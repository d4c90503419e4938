// The contents of a store, as plain records that any store can import.
import type { ApiKey } from '../api-keys/api-key.js'
import { type PetCreated, PetCreatedFromJson } from '../events/domain-event.js'
import type { NumberRange } from '../events/number-ranges.js'
import type { HeldIdempotencyKey } from '../pets/decide-add.js'

/** The state of a store as a whole. */
export interface StoreState {
  readonly _tag: 'StoreState'
  /** The last id that was drawn, whether or not a pet has it. */
  readonly lastId: bigint
}

/** A pet, contained in its event. */
export interface PetArchived {
  readonly _tag: 'Pet'
  readonly event: PetCreated
}

export interface ApiKeyArchived {
  readonly _tag: 'ApiKey'
  readonly key: ApiKey
}

export interface IdempotencyKeyArchived {
  readonly _tag: 'IdempotencyKey'
  /** The pet that holds it. */
  readonly petId: bigint
  /** The id of its event, which tells it from another pet with this id. Exports of earlier versions do not name it. */
  readonly eventId?: string
  readonly key: HeldIdempotencyKey
}

export type ArchiveRecord = StoreState | PetArchived | ApiKeyArchived | IdempotencyKeyArchived

/** The result of merging a record into a store. */
export type MergeResult =
  | { readonly _tag: 'Added' }
  /** The store already has the same record, or does not need it. */
  | { readonly _tag: 'Unchanged' }
  /**
   * The store has an older state of the record, which has been brought up to date. `skipped`: the ids that nobody drew or will draw,
   * because the counter was raised above them; only an import adds pets there.
   */
  | { readonly _tag: 'Updated'; readonly skipped?: NumberRange }
  /** The store has another record in its place, and keeps that one. */
  | { readonly _tag: 'Refused'; readonly reason: string }

/** The records that an export counts. */
export type Counted = Exclude<ArchiveRecord, StoreState>

export const COUNTS = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const satisfies Readonly<
  Record<Counted['_tag'], string>
>

export type Counts = Readonly<Record<(typeof COUNTS)[Counted['_tag']], number>>

/** Whether two events are equal in every member. */
export const isSameEvent = (one: PetCreated, other: PetCreated): boolean =>
  PetCreatedFromJson.encode(one) === PetCreatedFromJson.encode(other)
