import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ArchiveRecord, Counted, ImportBatch, RecordDiffers } from '../domain/archive/archive-record.js'
import type { Instant } from '../domain/codecs/scalar.js'
import type { Unavailable } from '../domain/errors.js'
import type { Damage } from './notice.js'

/** A record, or a report of one that cannot be decoded. */
export type ArchiveItem = ArchiveRecord | { readonly _tag: 'Damaged'; readonly damage: Damage }

/** The whole content of a store as plain records, for moving it to another store. */
export interface Archive {
  /**
   * Every record, in batches; the first failure is the last batch. Pets ascend; idempotency keys not expired at `now`
   * follow their pets. Pets acknowledged before the call are included; later writes may be missing.
   */
  readonly read: (now: Instant) => AsyncIterable<Either<Unavailable, readonly ArchiveItem[]>>
  /**
   * Durably adds the result of `decideImport`, and returns it; adds nothing if a record differs. Idempotent. After the
   * last batch, `IdGenerator.next` is greater than `lastId`, and no reader of the log waits for lower ids.
   */
  readonly add: (batch: ImportBatch) => TaskEither<Unavailable | RecordDiffers, readonly Counted[]>
}
