// The contents of a store, as plain records that any store can import.
import type { HeldIdempotencyKey } from '../../ports/pet-repository.js'
import type { ApiKey } from '../api-keys/api-key.js'
import type { PetCreated } from '../events/pet-created.js'
import { petJson } from '../pets/pet-json.js'

/** The state of a store as a whole. @since 1.0.0 @category Archive */
export interface StoreState {
  readonly _tag: 'StoreState'
  /** The last id that was drawn, whether or not a pet has it. */
  readonly lastId: bigint
}

/** A pet, contained in its event. @since 1.0.0 @category Archive */
export interface PetArchived {
  readonly _tag: 'Pet'
  readonly event: PetCreated
}

/** @since 1.0.0 @category Archive */
export interface ApiKeyArchived {
  readonly _tag: 'ApiKey'
  readonly key: ApiKey
}

/** @since 1.0.0 @category Archive */
export interface IdempotencyKeyArchived {
  readonly _tag: 'IdempotencyKey'
  /** The pet that holds it. */
  readonly petId: bigint
  readonly key: HeldIdempotencyKey
}

/** @since 1.0.0 @category Archive */
export type ArchiveRecord = StoreState | PetArchived | ApiKeyArchived | IdempotencyKeyArchived

/** The records that an export counts. */
export type Counted = Exclude<ArchiveRecord, StoreState>

/** The name of the count of each of them. */
export const COUNTS = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const satisfies Readonly<
  Record<Counted['_tag'], string>
>

/** Numbers of records of each kind. */
export type Counts = Readonly<Record<(typeof COUNTS)[Counted['_tag']], number>>

/** A new member of the event does not compile until it is here. */
const SAME: Readonly<Record<keyof PetCreated, (one: PetCreated, other: PetCreated) => boolean>> = {
  _tag: () => true,
  eventId: (one, other) => one.eventId === other.eventId,
  time: (one, other) => one.time === other.time,
  pet: (one, other) => petJson(one.pet) === petJson(other.pet),
  traceparent: (one, other) => one.traceparent === other.traceparent,
}

/**
 * Whether two events are equal in every member.
 *
 * @since 1.0.0 @category Archive
 * @example
 * const event = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } } as const
 * isSameEvent(event, { ...event, eventId: 'e2' }) // => false
 */
export const isSameEvent = (one: PetCreated, other: PetCreated): boolean =>
  Object.values(SAME).every((isSame) => isSame(one, other))
