import type { Task } from 'fp-ts/lib/Task.js'
import type { DurationMs } from '../domain/codecs/scalar.js'
import type { DomainEvent } from '../domain/events/domain-event.js'

/** What came of one event: the receiver has stored it, should be tried again, or will never accept it as it is. */
export type Delivery =
  | { readonly _tag: 'Delivered' }
  | FailedDelivery
  | { readonly _tag: 'Poisoned'; readonly reason: string }

/** The event should be tried again. */
export interface FailedDelivery {
  readonly _tag: 'Failed'
  readonly reason: string
  /** How long the receiver does not want to be tried again, at least; `longest` is the longest back-off. */
  readonly wait?: DurationMs | 'longest'
}

/** Delivers events to their receivers. */
export interface EventPublisher {
  /**
   * One delivery per event, in the same order. A publisher may stop after any event, so that the last ones have no delivery: they were
   * not tried. It tries at least the first. An event is `Delivered` only once its receiver has acknowledged it.
   * The same event may be published again, with the same event id.
   */
  readonly publish: (events: readonly DomainEvent[]) => Task<readonly Delivery[]>
  /** Called once, at a stop. It ends what is in flight, if that has taken half of the time of the stop. Absent if it holds nothing open. */
  readonly close?: Task<void>
  /** Whether events can be published now; absent if that needs no connection. While they cannot, `publish` fails them at once. */
  readonly isConnected?: () => boolean
}
