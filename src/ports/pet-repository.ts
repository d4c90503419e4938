import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Instant } from '../domain/instant.js'
import type { Pet } from '../domain/pet.js'
import type { PetCreated } from '../domain/pet-created.js'
import type { PetFilter, PetPage, PetQuery } from '../domain/pet-query.js'

/** An idempotency key of one caller. The same text from another caller is another key. */
export interface IdempotencyKey {
  /** The lineage of the caller's API key, so that a retry still finds its key after a rotation. */
  readonly lineage: string
  readonly key: string
}

/** An idempotency key that a pet holds. */
export interface HeldIdempotencyKey extends IdempotencyKey {
  /** From this instant on the key is free again. */
  readonly expiresAt: Instant
}

/** A new pet with all that is committed with it: its event (which holds the pet) and, if given, its idempotency key. */
export interface PetRecord {
  readonly event: PetCreated
  readonly idempotencyKey: Option<HeldIdempotencyKey>
}

export type Added =
  | { readonly _tag: 'Added' }
  /** Nothing was stored: the idempotency key belongs to this pet already. */
  | { readonly _tag: 'KeyTaken'; readonly by: Pet }
  /** Nothing was stored: another pet has this id. */
  | { readonly _tag: 'IdTaken' }

/** Keeps pets, each once and unchanged. */
export interface PetRepository {
  /**
   * Adds the pet, its event and its idempotency key together or not at all; when it answers, they outlive the process.
   * A key that an earlier pet holds, and that has not expired at the event's time, is `KeyTaken`.
   * An id that another pet has is `IdTaken`: draw another.
   */
  readonly add: (record: PetRecord) => TaskEither<Unavailable, Added>
  /**
   * The pet that holds the idempotency key at this instant: the one that `add` would name in `KeyTaken` for an event of
   * this time. If that pet cannot be read: `Unavailable`.
   */
  readonly findByIdempotencyKey: (key: IdempotencyKey, at: Instant) => TaskEither<Unavailable, Option<Pet>>
  /** The pet of this id; any int64 may be asked for. */
  readonly findById: (id: bigint) => TaskEither<Unavailable, Option<Pet>>
  /** The page of the query, newest first; what it costs does not grow with the number of pets. */
  readonly findPage: (query: PetQuery) => TaskEither<Unavailable, PetPage>
  /** How many pets the filter matches, exactly. */
  readonly count: (filter: PetFilter) => TaskEither<Unavailable, number>
}
