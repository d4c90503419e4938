import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Instant } from '../domain/instant.js'
import type { PetCreated } from '../domain/pet-created.js'

/** An event that is ours to publish until the lease lapses. */
export interface ClaimedEvent {
  readonly event: PetCreated
  /** How often its publication has failed before. */
  readonly failures: number
}

export interface ClaimRequest {
  readonly now: Instant
  /** When the claim lapses, so that a dead relay's events become free again. */
  readonly leaseUntil: Instant
  /**
   * No lease, back-off or event of a right clock ends later. One that does was stored before the clock stepped back,
   * and counts as due.
   */
  readonly maxDueAt: Instant
  /** How many events at most. */
  readonly limit: number
}

/** What is to be remembered of a claimed event, by the id of its pet. */
export type Settlement =
  | { readonly _tag: 'Sent'; readonly petId: bigint }
  | { readonly _tag: 'Retry'; readonly petId: bigint; readonly at: Instant }
  | { readonly _tag: 'Parked'; readonly petId: bigint; readonly reason: string }

export interface Backlog {
  /** Events that are not sent and not parked. */
  readonly size: number
  /** The time of the oldest of them. */
  readonly oldest: Option<Instant>
  readonly parked: number
}

export interface ParkedEvent {
  readonly event: PetCreated
  readonly reason: string
}

/** Which events are to be sent (again): those of pets created in [from, to), or those that are parked. */
export type Requeue =
  | { readonly _tag: 'CreatedBetween'; readonly from: Instant; readonly to: Instant }
  | { readonly _tag: 'Parked' }

/** The unsent events, which lie in the records of their pets. */
export interface Outbox {
  /**
   * Unsent, unparked events that are due and that no live lease holds, those due longest first (of equals, the smaller
   * pet id); each goes to one claimer at a time. A new event is due from its own time on, a failed one from its retry on:
   * so neither new events nor failing ones keep the others waiting.
   */
  readonly claim: (request: ClaimRequest) => TaskEither<Unavailable, readonly ClaimedEvent[]>
  /** Settles events; one that is settled already stays as it is. */
  readonly settle: (settlements: readonly Settlement[]) => TaskEither<Unavailable, void>
  readonly backlog: TaskEither<Unavailable, Backlog>
  readonly parked: TaskEither<Unavailable, readonly ParkedEvent[]>
  /** Makes events unsent, due at once, before all others, and without failures; says how many. */
  readonly requeue: (which: Requeue) => TaskEither<Unavailable, number>
}
