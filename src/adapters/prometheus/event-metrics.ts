// Counts the events that this instance publishes, and reads the backlog of the relay and the API keys at each scrape.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import { type Backlog, readBacklog } from '../../domain/events/backlog.js'
import type { Clock } from '../../ports/clock.js'
import type { EventPublisher } from '../../ports/event-publisher.js'
import { type Instruments, show } from './catalogue.js'
import type { RelayLevels, StorePorts } from './watched.js'

/** How long a scrape waits for the store. */
const READ_TIMEOUT_MS = 2_000
const LATE: E.Either<unknown, never> = E.left('late')

const ageSeconds = ({ oldest }: Backlog, now: number): number =>
  O.isSome(oldest) ? Math.max(0, now - oldest.value) / 1_000 : 0

const WEEK_MS = 604_800_000

/** The number of keys whose callers need new ones; those of rotated keys already have a successor. */
const expiring = (keys: readonly ApiKey[], now: number): number =>
  keys.filter(
    ({ expiresAt, revokedAt, successor }) =>
      O.isNone(revokedAt) &&
      O.isNone(successor) &&
      O.exists((at: number) => at > now && at <= now + WEEK_MS)(expiresAt),
  ).length

export const measureEvents = (metrics: Instruments) => {
  const read = ({ log, relay, apiKeys }: StorePorts) =>
    // a store may have no log or no relay
    Promise.all([log && relay ? readBacklog({ log, relay })() : E.right(undefined), apiKeys.list()])
  let reading: ReturnType<typeof read> | undefined

  /** Reads with a time limit. One read at a time, because an unavailable store responds late. */
  const readInTime = async (ports: StorePorts) => {
    reading ??= read(ports).finally(() => {
      reading = undefined
    })
    const late = new Promise<readonly [typeof LATE, typeof LATE]>((resolve) => {
      setTimeout(resolve, READ_TIMEOUT_MS, [LATE, LATE]).unref()
    })
    const [backlog, keys] = await Promise.race([reading, late])
    if (E.isLeft(backlog) || E.isLeft(keys)) metrics.animal_store_relay_read_failures_total.inc()
    return { backlog: O.toUndefined(O.fromEither(backlog)), keys: O.toUndefined(O.fromEither(keys)) }
  }

  const publisher = (measured: EventPublisher, clock: Pick<Clock, 'now'>): EventPublisher => ({
    ...measured,
    publish: (events) => async () => {
      const deliveries = await measured
        .publish(events)()
        .catch((defect: unknown) => {
          metrics.animal_store_events_failed_total.inc()
          throw defect
        })
      const now = clock.now()
      // events without a delivery were not tried
      for (const [at, { _tag }] of deliveries.entries()) {
        if (_tag === 'Delivered') {
          metrics.animal_store_events_published_total.inc()
          metrics.animal_store_event_delay_seconds.observe(Math.max(0, now - (events[at]?.time ?? now)) / 1_000)
        } else metrics.animal_store_events_failed_total.inc()
      }
      return deliveries
    },
  })

  const collect = async (store: StorePorts | undefined, relay: RelayLevels | undefined): Promise<void> => {
    const { backlog, keys } = (store && (await readInTime(store))) ?? {}
    const now = store?.clock.now() ?? 0
    show(metrics.animal_store_relay_backlog, backlog?.size)
    show(metrics.animal_store_relay_oldest_age_seconds, backlog && ageSeconds(backlog, now))
    show(metrics.animal_store_api_keys_expiring, keys && expiring(keys, now))
    show(metrics.animal_store_relay_parked, backlog?.parked)
    show(metrics.animal_store_relay_position, backlog?.position)
    show(metrics.animal_store_log_head, backlog?.head)
    show(metrics.animal_store_relay_is_active, relay?.isActive)
    show(metrics.animal_store_broker_connected, relay?.isConnected)
  }
  return { publisher, collect }
}
