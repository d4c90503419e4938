import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { DomainEvent } from '../domain/events/domain-event.js'
import type { RelayRecord } from '../domain/events/relay-record.js'
import type { OfStorage } from './storage.js'

export interface LogRequest {
  /** Read what comes after this number: 0, or an `upTo` of this log. After any other, even beyond the head, nothing is skipped either. */
  readonly after: number
  /** Maximum number of records, from 1. */
  readonly limit: number
}

export interface LogPage {
  /** In ascending order of their numbers. */
  readonly events: readonly DomainEvent[]
  /** The numbers of records that cannot be decoded, in ascending order. */
  readonly damaged: readonly number[]
  /**
   * Where to continue: the page holds every record after `after` and up to here. It is less than `after` only if nothing up to
   * `after` was ever given out as final.
   */
  readonly upTo: number
}

export interface LogHead {
  /**
   * 8 to 64 letters of ASCII, digits, `-` and `_`. Differs between stores, and between a store and a restored copy of it. A number
   * means something only in its own log.
   */
  readonly logId: string
  /** No event has a greater number now. */
  readonly last: number
}

/**
 * The events of all pets, in order. An event's number is the id of its pet.
 *
 * Everything at or below an `upTo` is final: nothing will ever appear there again, on any instance, whatever crashes. The one
 * exception is an import, which fills a store without pets. So a reader that continues at `upTo` misses nothing.
 */
export interface EventLog extends OfStorage {
  /**
   * The records after a number: each as soon as its `add` has returned, unless an earlier id may still get a pet. Its cost does not
   * grow with the length of the log.
   */
  readonly read: (request: LogRequest) => TaskEither<Unavailable, LogPage>
  /** Where the log ends now. Its cost does not grow with the length of the log. */
  readonly head: TaskEither<Unavailable, LogHead>
}

/** The position of the relay in the log of its store. */
export interface RelayState extends OfStorage {
  /** The record; none if no relay has ever run on this store. */
  readonly load: TaskEither<Unavailable, Option<RelayRecord>>
  /**
   * Replaces the record durably if the stored one has the version before that of this one (version 1: if there is none). Returns
   * whether it did. After `false`, or `Unavailable`, load the record again: the reply to a successful save may have been lost.
   */
  readonly save: (record: RelayRecord) => TaskEither<Unavailable, boolean>
}
