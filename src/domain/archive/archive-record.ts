// The contents of a store, as plain records that any store can import.
import type { ApiKey } from '../api-keys/api-key.js'
import { type PetCreated, PetCreatedFromJson } from '../events/domain-event.js'
import type { HeldIdempotencyKey } from '../pets/decide-add.js'

export interface StoreState {
  readonly _tag: 'StoreState'
  /** The last id that was drawn, whether or not a pet has it. */
  readonly lastId: bigint
}

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
  readonly petId: bigint
  /** The id of its event, which tells it from another pet with this id. */
  readonly eventId: string
  readonly key: HeldIdempotencyKey
}

export type ArchiveRecord = StoreState | PetArchived | ApiKeyArchived | IdempotencyKeyArchived

export type MergeResult =
  | { readonly _tag: 'Added' }
  /** The store already has the same record, or does not need it. */
  | { readonly _tag: 'Unchanged' }
  /** An older state is brought up to date. */
  | { readonly _tag: 'Updated' }
  /** The store has another record in its place, and keeps that one. */
  | { readonly _tag: 'Refused'; readonly reason: string }

export type Counted = Exclude<ArchiveRecord, StoreState>

export const COUNTS = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const satisfies Readonly<
  Record<Counted['_tag'], string>
>

export type Counts = Readonly<Record<(typeof COUNTS)[Counted['_tag']], number>>

export const isSameEvent = (one: PetCreated, other: PetCreated): boolean =>
  PetCreatedFromJson.encode(one) === PetCreatedFromJson.encode(other)
