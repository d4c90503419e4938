import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ArchiveRecord, Counted, ImportBatch, RecordDiffers } from '../domain/archive/archive-record.js'
import type { Instant } from '../domain/codecs/scalar.js'
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
   * Adds, durably, what `decideImport` says of the batch, and returns it; nothing of the batch if a record differs. Adding a batch again
   * changes nothing. After the last batch `IdGenerator.next` is greater than `lastId`, and no reader of the log waits for ids below.
   */
  readonly add: (batch: ImportBatch) => TaskEither<Unavailable | RecordDiffers, readonly Counted[]>
}
