import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Instant } from '../domain/codecs/scalar.js'
import type { Unavailable } from '../domain/errors.js'
import type { Added, IdempotencyKey, PetRecord } from '../domain/pets/decide-add.js'
import type { Pet, PetId } from '../domain/pets/pet.js'
import type { PetFilter, PetPage, PetQuery } from '../domain/pets/pet-query.js'
import type { OfStorage } from './storage.js'

/** Stores pets. They never change. */
export interface PetRepository extends OfStorage {
  /**
   * Atomically and durably adds the pet, its event and its idempotency key. The pet gets the id of the record, or a
   * higher one if another pet has it or a reader of the log may have passed it (see `EventLog`). `KeyTaken` if an
   * earlier pet holds the key and it has not expired at the event's time. Only the store may remove keys, a day
   * after they expire at the earliest. `Unavailable` if the store cannot hold the record, such as for too long a key; concurrent
   * adds are not affected.
   */
  readonly add: (record: PetRecord) => TaskEither<Unavailable, Added>
  /**
   * The pet that holds the idempotency key at this instant, which `add` would return in `KeyTaken`. `Unavailable` if
   * that pet cannot be read.
   */
  readonly findByIdempotencyKey: (key: IdempotencyKey, at: Instant) => TaskEither<Unavailable, Option<Pet>>
  /** The pet with this id, which may be any int64. */
  readonly findById: (id: PetId) => TaskEither<Unavailable, Option<Pet>>
  /** One page, newest first. The cost does not depend on the number of pets. */
  readonly findPage: (query: PetQuery) => TaskEither<Unavailable, PetPage>
  /** The exact number of stored records that match, damaged ones included. */
  readonly count: (filter: PetFilter) => TaskEither<Unavailable, number>
}
