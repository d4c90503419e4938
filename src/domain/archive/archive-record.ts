// The contents of a store, as plain records that any store can import.
import type * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../api-keys/api-key.js'
import type { Instant } from '../codecs/scalar.js'
import type { PetCreated } from '../events/domain-event.js'
import type { HeldIdempotencyKey } from '../pets/decide-add.js'

export interface StoreState {
  readonly _tag: 'StoreState'
  /** The last id drawn, whether or not a pet has it. */
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
  /** The id of the pet's event, which distinguishes it from another pet with this id. */
  readonly eventId: string
  readonly key: HeldIdempotencyKey
}

export type ArchiveRecord = StoreState | PetArchived | ApiKeyArchived | IdempotencyKeyArchived

export type Counted = Exclude<ArchiveRecord, StoreState>

/** Successive records of an export, in its order: pets ascend, and an idempotency key comes after its pet. */
export interface ImportBatch {
  readonly records: readonly Counted[]
  /** The id of the last pet before them in the export; 0 if there is none. */
  readonly after: bigint
  /** The last id drawn by the exported store; only in the last batch. */
  readonly lastId: O.Option<bigint>
  readonly now: Instant
}

/** The first record of a batch at which the store differs. */
export interface RecordDiffers {
  readonly _tag: 'RecordDiffers'
  /** The index of the record in its batch; the number of records for the end of the export. */
  readonly at: number
  readonly reason: string
}

export const COUNTS = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const satisfies Readonly<
  Record<Counted['_tag'], string>
>

export type Counts = Readonly<Record<(typeof COUNTS)[Counted['_tag']], number>>
