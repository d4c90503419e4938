// One pass of the relay: claims a batch of unsent events, publishes it and settles it. When to pass is its caller's affair.
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Delivery } from '../ports/event-publisher.js'
import type { Ports } from '../ports/index.js'
import type { ClaimedEvent, ParkedEvent, Settlement } from '../ports/outbox.js'
import { type BackOff, makeBackOff } from './back-off.js'
import type { Unavailable } from './errors.js'

export interface RelaySettings {
  /** How many events one pass takes at most. */
  readonly batchSize: number
  /** Milliseconds for which a claim holds; more than publishing a batch may take, or events come twice. */
  readonly lease: number
  /** After how many tries an event is parked that its receiver will not take as it is. */
  readonly triesBeforeParking: number
  readonly backOff: BackOff
}

/** What became of the events that one pass claimed. */
export interface RelayPass {
  readonly claimed: number
  readonly sent: number
  /** Not taken now, and tried again however often: a receiver that is away is no fault of the event. */
  readonly failed: number
  /** Why the first of these failed. */
  readonly failure: O.Option<string>
  readonly parked: readonly ParkedEvent[]
}

export type RelayEvents = (settings: RelaySettings) => TE.TaskEither<Unavailable, RelayPass>

/** How many times the longest wait an event may be due ahead, so that clocks which differ by as much again do no harm. */
const LONGEST_WAITS_AHEAD = 2

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
 * One pass; times are in milliseconds. Fails only as `Unavailable`, when the outbox does: a delivery that fails is part
 * of the result, and the event is due again after the back-off.
 *
 * @example
 * const { pets, outbox, ids } = makeMemoryStore({ isRelayed: true })
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { pets, outbox, ids, publisher, clock: systemClock, crypto: nodeCrypto }
 * await addPet(ports)({ newPet: { name: 'Rex', categoryId: 7 }, retry: O.none })()
 * const pass = await relayEvents(ports)(DEFAULT_RELAY)()
 * E.isRight(pass) && pass.right.sent // => 1
 */
export const relayEvents =
  (ports: Pick<Ports, 'outbox' | 'publisher' | 'clock' | 'crypto'>): RelayEvents =>
  (settings) => {
    const backOff = makeBackOff(ports.crypto, settings.backOff)

    const settlementOf = ({ event, failures }: ClaimedEvent, delivery: Delivery): Settlement => {
      const tries = failures + 1
      if (delivery._tag === 'Delivered') return { _tag: 'Sent', event }
      return delivery._tag === 'Poisoned' && tries >= settings.triesBeforeParking
        ? { _tag: 'Parked', event, reason: delivery.reason }
        : { _tag: 'Retry', event, at: ports.clock.now() + backOff(tries) }
    }

    const claim = TE.flatten(
      TE.fromIO(() => {
        const now = ports.clock.now()
        return ports.outbox.claim({
          now,
          leaseUntil: now + settings.lease,
          maxDueAt: now + LONGEST_WAITS_AHEAD * Math.max(settings.lease, settings.backOff.most),
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
      TE.flatMap((claimed) => (claimed.length === 0 ? TE.right([]) : pipe(publish(claimed), TE.tap(settle)))),
      TE.map(passOf),
    )
  }
