import type { Task } from 'fp-ts/lib/Task.js'
import type { DomainEvent } from '../domain/events/domain-event.js'

/**
 * The outcome for one event: the receiver has stored it, should be tried again, or will never accept it as it is.
 * @since 1.0.0 @category Ports
 */
export type Delivery =
  | { readonly _tag: 'Delivered' }
  | { readonly _tag: 'Failed'; readonly reason: string }
  | { readonly _tag: 'Poisoned'; readonly reason: string }

/** Delivers events to their receivers. @since 1.0.0 @category Ports */
export interface EventPublisher {
  /**
   * One delivery per event, in the same order. An event is `Delivered` only once its receiver has acknowledged it.
   * The same event may be published again, with the same event id.
   */
  readonly publish: (events: readonly DomainEvent[]) => Task<readonly Delivery[]>
}
