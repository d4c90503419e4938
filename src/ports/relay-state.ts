import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { RelayRecord } from '../domain/events/relay-record.js'
import type { OfStorage } from './storage.js'

/** The position of the relay in the log of its store. */
export interface RelayState extends OfStorage {
  /** The record; none if no relay has ever run on this store. */
  readonly load: TaskEither<Unavailable, Option<RelayRecord>>
  /**
   * Replaces the record durably if the stored one has the version before that of this one (version 1: if there is none). Returns
   * whether it did. After `false`, or `Unavailable`, load the record again: the answer to a successful save may have been lost.
   */
  readonly save: (record: RelayRecord) => TaskEither<Unavailable, boolean>
}
