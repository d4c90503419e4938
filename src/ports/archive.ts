import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ArchiveRecord, MergeResult } from '../domain/archive/archive-record.js'
import type { Instant } from '../domain/codecs/instant.js'
import type { Unavailable } from '../domain/errors.js'
import type { Damage } from './notice.js'

/** A record, or a report in place of one that cannot be decoded. */
export type ArchiveItem = ArchiveRecord | { readonly _tag: 'Damaged'; readonly damage: Damage }

/** The whole content of a store as plain records, to be moved to another store. */
export interface Archive {
  /** The approximate number of records that `read` yields, for a progress bar. */
  readonly size: TaskEither<Unavailable, number>
  /**
   * Every record, in batches; the first failure is the last batch. Pets are in ascending order, and an idempotency key comes
   * after its pet, unless it has expired by `now`. Later writes may be missing; pets acknowledged before the call are not.
   */
  readonly read: (now: Instant) => AsyncIterable<Either<Unavailable, readonly ArchiveItem[]>>
  /**
   * Merges records durably; returns one result per record, in the same order. Merging a record again changes nothing, and a
   * different record is never overwritten. From then on `IdGenerator.next` is greater than the ids of the pets and than `lastId`.
   */
  readonly merge: (records: readonly ArchiveRecord[], now: Instant) => TaskEither<Unavailable, readonly MergeResult[]>
}
