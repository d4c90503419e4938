import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Instant } from '../domain/codecs/instant.js'
import type { Unavailable } from '../domain/errors.js'
import type { DomainEvent } from '../domain/events/domain-event.js'

/** An event that its claimer may publish until the lease expires. @since 1.0.0 @category Ports */
export interface ClaimedEvent {
  readonly event: DomainEvent
  /** Number of failed attempts to publish it. */
  readonly failures: number
}

/** @since 1.0.0 @category Ports */
export interface ClaimRequest {
  readonly now: Instant
  /** When the claim expires, so that another relay can take over the events of a dead one. */
  readonly leaseUntil: Instant
  /**
   * Nothing can become due after this, unless it was stored before the clock stepped back. An event that is due later
   * counts as due now.
   */
  readonly maxDueAt: Instant
  /** Maximum number of events. */
  readonly limit: number
}

/** The outcome for a claimed event. @since 1.0.0 @category Ports */
export type Settlement =
  | { readonly _tag: 'Sent'; readonly event: DomainEvent }
  | { readonly _tag: 'Retry'; readonly event: DomainEvent; readonly at: Instant }
  | { readonly _tag: 'Parked'; readonly event: DomainEvent; readonly reason: string }

/** @since 1.0.0 @category Ports */
export interface Backlog {
  /** Events that are not sent and not parked. */
  readonly size: number
  /** The time of the oldest one. */
  readonly oldest: Option<Instant>
  readonly parked: number
  /** Whether an event of this store was ever sent. If so, a broker without an event stream has lost it. */
  readonly hasSent: boolean
}

/** @since 1.0.0 @category Ports */
export interface ParkedEvent {
  readonly event: DomainEvent
  readonly reason: string
}

/**
 * Which events to send (again): those whose time is in [from, to), or those that are parked.
 * @since 1.0.0 @category Ports
 */
export type Requeue =
  | { readonly _tag: 'CreatedBetween'; readonly from: Instant; readonly to: Instant }
  | { readonly _tag: 'Parked' }

/**
 * The unsent events. Each is stored in one write with the change that it announces: see `PetRepository.add`.
 * @since 1.0.0 @category Ports
 */
export interface Outbox {
  /**
   * Leases unsent, unparked events that are due, and returns them longest due first. Each event goes to one claimer at a
   * time. A new event is due at its own time and a failed one at its retry, so neither new nor failing events starve the
   * others.
   */
  readonly claim: (request: ClaimRequest) => TaskEither<Unavailable, readonly ClaimedEvent[]>
  /** Settles events. An event that is already sent or parked does not change. */
  readonly settle: (settlements: readonly Settlement[]) => TaskEither<Unavailable, void>
  readonly backlog: TaskEither<Unavailable, Backlog>
  readonly parked: TaskEither<Unavailable, readonly ParkedEvent[]>
  /** Makes events unsent again: due at once, before all others, with no failures. Returns how many. */
  readonly requeue: (which: Requeue) => TaskEither<Unavailable, number>
}
