import type { Task } from 'fp-ts/lib/Task.js'
import type { PetCreated } from '../domain/pet-created.js'

/** What became of one event: on record at the receiver, to be tried again, or never acceptable as it is. */
export type Delivery =
  | { readonly _tag: 'Delivered' }
  | { readonly _tag: 'Failed'; readonly reason: string }
  | { readonly _tag: 'Poisoned'; readonly reason: string }

/** Hands events to those who want to know. */
export interface EventPublisher {
  /**
   * One delivery an event, in their order. Delivered is an event only once its receiver has acknowledged it;
   * the same event may come again, then with the same event id.
   */
  readonly publish: (events: readonly PetCreated[]) => Task<readonly Delivery[]>
}
