import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Restored } from '../domain/archive/decide-restore.js'
import type { Unavailable } from '../domain/errors.js'
import type { DomainEvent } from '../domain/events/domain-event.js'
import type { PetRecord } from '../domain/pets/decide-add.js'
import type { Damage } from './notice.js'

/** One record of a store. With a second type of event, no store compiles until it restores that, too. */
export interface StoredRecord extends Omit<PetRecord, 'event'> {
  readonly event: DomainEvent
}

export interface ArchivePage {
  /** By ascending id, with the idempotency keys that the store still holds, expired or not. */
  readonly records: readonly StoredRecord[]
  /** Records, or idempotency keys of records, that cannot be decoded and are left out. */
  readonly damaged: readonly Damage[]
  /** The id after which to continue; none if no record is left. */
  readonly next: Option<bigint>
}

/** The records of a store, for moving them to another store. */
export interface Archive {
  /** The last id that was drawn or used; 0 if none was. */
  readonly lastId: TaskEither<Unavailable, bigint>
  /** Some of the records with greater ids. Records acknowledged before the call are included. */
  readonly read: (after: bigint) => TaskEither<Unavailable, ArchivePage>
  /**
   * Durably adds the record under exactly its id, and returns the result of `decideRestore`. Idempotent. Concurrent calls
   * share commits.
   */
  readonly restore: (record: StoredRecord) => TaskEither<Unavailable, Restored>
  /** Ends an import: afterwards, `IdGenerator.next` is greater than `lastId`, and no reader of the log waits for lower ids. */
  readonly end: (lastId: bigint) => TaskEither<Unavailable, void>
}
