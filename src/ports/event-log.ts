import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { DomainEvent } from '../domain/events/domain-event.js'
import type { RelayRecord } from '../domain/events/relay-record.js'
import type { OfStorage } from './storage.js'

export interface LogRequest {
  /** Read after this number: 0 or an `upTo` of this log. Other numbers, even beyond the head, skip nothing either. */
  readonly after: number
  /** Maximum number of records, from 1. */
  readonly limit: number
}

export interface LogPage {
  /** In ascending order of their numbers. */
  readonly events: readonly DomainEvent[]
  /** Numbers of records that cannot be decoded, in ascending order. */
  readonly damaged: readonly number[]
  /**
   * Where to continue: the page holds every record after `after` up to this number. At least `after`, if
   * `after` came from an earlier read.
   */
  readonly upTo: number
}

export interface LogHead {
  /**
   * 8 to 64 ASCII letters, digits, `-` and `_`. Differs between stores, and between a store and its restored copy.
   * Numbers are meaningful only in their own log.
   */
  readonly logId: string
  /** No event has a greater number now. */
  readonly last: number
}

/**
 * The events of all pets, in order. An event's number is the id of its pet.
 *
 * Everything up to an `upTo` is final: nothing more appears there, on any instance, even after a crash. So a reader
 * that continues at `upTo` misses nothing. The only exception is an import, which fills a store without pets.
 */
export interface EventLog extends OfStorage {
  /**
   * The records after a number: each as soon as its `add` has returned, unless a lower id may still get a pet. The cost
   * does not depend on the length of the log.
   */
  readonly read: (request: LogRequest) => TaskEither<Unavailable, LogPage>
  /** The end of the log. The cost does not depend on the length of the log. */
  readonly head: TaskEither<Unavailable, LogHead>
}

/** The position of the relay in the log of its store. */
export interface RelayState extends OfStorage {
  /** The record; none if no relay has ever run on this store. */
  readonly load: TaskEither<Unavailable, Option<RelayRecord>>
  /**
   * Durably replaces the record if the stored version is one less (for version 1: if there is none). Returns whether it
   * did. After `false` or `Unavailable`, load the record again: the reply to a successful save may have been lost.
   */
  readonly save: (record: RelayRecord) => TaskEither<Unavailable, boolean>
}
