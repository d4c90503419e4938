// One pass of the relay: claims a batch of unsent events, publishes it and settles it. The caller decides when to run one.
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as Ord from 'fp-ts/lib/Ord.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Delivery } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { ClaimedEvent, ParkedEvent, Settlement } from '../../ports/outbox.js'
import type { DurationMs } from '../codecs/duration.js'
import type { Unavailable } from '../errors.js'
import { ordPet } from '../pets/pet-order.js'
import { type BackOff, makeBackOff } from './back-off.js'
import { matchEvent } from './domain-event.js'

/** @since 1.0.0 @category Events */
export interface RelaySettings {
  /** Maximum number of events per pass. */
  readonly batchSize: number
  /** How long a claim holds. It must exceed the time to publish a batch, or events are sent twice. */
  readonly leaseMs: DurationMs
  /** Attempts before a poisoned event is parked. */
  readonly attemptsBeforeParking: number
  readonly backOff: BackOff
}

/** The outcome of one pass. @since 1.0.0 @category Events */
export interface RelayPass {
  readonly claimed: number
  readonly sent: number
  /** Events to be retried, however often they have failed: an unavailable receiver is not the event's fault. */
  readonly failed: number
  /** The reason of the first failure. */
  readonly failure: O.Option<string>
  readonly parked: readonly ParkedEvent[]
}

/** @since 1.0.0 @category Events */
export type RelayEvents = (settings: RelaySettings) => TE.TaskEither<Unavailable, RelayPass>

/**
 * An event due later than this multiple of the longest lease or back-off was stored before the clock stepped back. Twice
 * as long as needed, because the clocks of instances differ.
 */
const MAX_WAITS_AHEAD = 2

const petOf = matchEvent({ PetCreated: ({ pet }) => pet })

const byPet: Ord.Ord<ClaimedEvent> = Ord.contramap(({ event }: ClaimedEvent) => petOf(event))(ordPet)

type Settled = readonly [ClaimedEvent, Delivery, Settlement]

const passOf = (settled: readonly Settled[]): RelayPass => {
  const failures = settled.flatMap(([, delivery]) => (delivery._tag === 'Failed' ? [delivery.reason] : []))
  return {
    claimed: settled.length,
    sent: settled.filter(([, delivery]) => delivery._tag === 'Delivered').length,
    failed: failures.length,
    failure: RA.head(failures),
    parked: settled.flatMap(([{ event }, , settlement]) =>
      settlement._tag === 'Parked' ? [{ event, reason: settlement.reason }] : [],
    ),
  }
}

/**
 * Runs one pass. Fails only as `Unavailable`, when the outbox does. A failed delivery is part of the result, and the event
 * is due again after the back-off.
 *
 * @since 1.0.0 @category Events
 * @example
 * const { pets, outbox, ids } = makeMemoryStore({ isRelayed: true })
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { pets, outbox, ids, publisher, clock: systemClock, crypto: nodeCrypto }
 * await addPet(ports)({ newPet: { name: 'Rex', categoryId: 7 }, idempotencyKey: O.none })()
 * const pass = await relayEvents(ports)(DEFAULT_RELAY)()
 * E.isRight(pass) && pass.right.sent // => 1
 */
export const relayEvents =
  (ports: Pick<Ports, 'outbox' | 'publisher' | 'clock' | 'crypto'>): RelayEvents =>
  (settings) => {
    const backOff = makeBackOff(ports.crypto, settings.backOff)

    const settlementOf = ({ event, failures }: ClaimedEvent, delivery: Delivery): Settlement => {
      const attempts = failures + 1
      if (delivery._tag === 'Delivered') return { _tag: 'Sent', event }
      return delivery._tag === 'Poisoned' && attempts >= settings.attemptsBeforeParking
        ? { _tag: 'Parked', event, reason: delivery.reason }
        : { _tag: 'Retry', event, at: ports.clock.now() + backOff(attempts) }
    }

    const claim = TE.flatten(
      TE.fromIO(() => {
        const now = ports.clock.now()
        return ports.outbox.claim({
          now,
          leaseUntil: now + settings.leaseMs,
          maxDueAt: now + MAX_WAITS_AHEAD * Math.max(settings.leaseMs, settings.backOff.maxMs),
          limit: settings.batchSize,
        })
      }),
    )

    const publish = (claimed: readonly ClaimedEvent[]) =>
      pipe(
        ports.publisher.publish(claimed.map(({ event }) => event)),
        TE.fromTask,
        TE.map((deliveries) =>
          RA.zipWith(claimed, deliveries, (one, delivery): Settled => [one, delivery, settlementOf(one, delivery)]),
        ),
      )

    const settle = (settled: readonly Settled[]) => ports.outbox.settle(settled.map(([, , settlement]) => settlement))

    return pipe(
      claim,
      TE.map(RA.sort(byPet)),
      TE.flatMap((claimed) => (claimed.length === 0 ? TE.right([]) : pipe(publish(claimed), TE.tap(settle)))),
      TE.map(passOf),
    )
  }
