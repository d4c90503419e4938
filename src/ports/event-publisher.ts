import type { Task } from 'fp-ts/lib/Task.js'
import type { DurationMs } from '../domain/codecs/scalar.js'
import type { DomainEvent } from '../domain/events/domain-event.js'

/** The result for one event: stored by the receiver, to be tried again, or never acceptable as it is. */
export type Delivery = { readonly _tag: 'Delivered' } | FailedDelivery | PoisonedDelivery

export interface FailedDelivery {
  readonly _tag: 'Failed'
  readonly reason: string
  /** Minimum time before the next attempt, as requested by the receiver. */
  readonly wait?: DurationMs
}

export interface PoisonedDelivery {
  readonly _tag: 'Poisoned'
  readonly reason: string
}

export interface EventPublisher {
  /**
   * One delivery per event, in the same order. A publisher may stop after any event but must try the first; events
   * without a delivery were not tried. An event is `Delivered` only once its receiver has acknowledged it. The same
   * event may be published again, with the same event id.
   */
  readonly publish: (events: readonly DomainEvent[]) => Task<readonly Delivery[]>
  /** Called once, on shutdown; must end deliveries still in flight. Absent if there is nothing to close. */
  readonly close?: Task<void>
  /** Whether events can be published now; while not, `publish` fails at once. Absent if no connection is needed. */
  readonly isConnected?: () => boolean
}
