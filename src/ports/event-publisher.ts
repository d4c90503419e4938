import type { Task } from 'fp-ts/lib/Task.js'
import type { DomainEvent } from '../domain/domain-event.js'

/** What became of one event: its receiver has it on record, should be tried again, or will never accept it as it is. */
export type Delivery =
  | { readonly _tag: 'Delivered' }
  | { readonly _tag: 'Failed'; readonly reason: string }
  | { readonly _tag: 'Poisoned'; readonly reason: string }

/** Delivers events to their receivers. */
export interface EventPublisher {
  /**
   * One delivery for each event, in their order. An event is `Delivered` only once its receiver has acknowledged it.
   * The same event may be published again, then with the same event id.
   */
  readonly publish: (events: readonly DomainEvent[]) => Task<readonly Delivery[]>
}
