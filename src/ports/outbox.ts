import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DomainEvent } from '../domain/domain-event.js'
import type { Unavailable } from '../domain/errors.js'
import type { Instant } from '../domain/instant.js'

/** An event that is ours to publish until the lease lapses. */
export interface ClaimedEvent {
  readonly event: DomainEvent
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

/** What became of a claimed event. */
export type Settlement =
  | { readonly _tag: 'Sent'; readonly event: DomainEvent }
  | { readonly _tag: 'Retry'; readonly event: DomainEvent; readonly at: Instant }
  | { readonly _tag: 'Parked'; readonly event: DomainEvent; readonly reason: string }

export interface Backlog {
  /** Events that are not sent and not parked. */
  readonly size: number
  /** The time of the oldest of them. */
  readonly oldest: Option<Instant>
  readonly parked: number
  /** Whether an event of this store was ever sent: then a broker without a stream for events has lost one. */
  readonly hasSent: boolean
}

export interface ParkedEvent {
  readonly event: DomainEvent
  readonly reason: string
}

/** Which events to send (again): those whose time is in [from, to), or those that are parked. */
export type Requeue =
  | { readonly _tag: 'CreatedBetween'; readonly from: Instant; readonly to: Instant }
  | { readonly _tag: 'Parked' }

/** The events that are not sent yet. They are stored together with what they tell of: see `PetRepository.add`. */
export interface Outbox {
  /**
   * Unsent, unparked events that are due and that no live lease holds, those due longest first; each goes to one claimer
   * at a time. A new event is due from its own time on, a failed one from its retry on: so neither new events nor
   * failing ones keep the others waiting.
   */
  readonly claim: (request: ClaimRequest) => TaskEither<Unavailable, readonly ClaimedEvent[]>
  /** Settles events; one that is settled already stays as it is. */
  readonly settle: (settlements: readonly Settlement[]) => TaskEither<Unavailable, void>
  readonly backlog: TaskEither<Unavailable, Backlog>
  readonly parked: TaskEither<Unavailable, readonly ParkedEvent[]>
  /** Makes events unsent, due at once, before all others, and without failures; says how many. */
  readonly requeue: (which: Requeue) => TaskEither<Unavailable, number>
}
