// Counts the events that this instance publishes, and reads the position of the relay and the API keys at each scrape.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { Unavailable } from '../../domain/errors.js'
import { type Backlog, readBacklog } from '../../domain/events/backlog.js'
import type { Ports } from '../../ports/index.js'
import { one } from './catalogue.js'
import { longDurations } from './histogram.js'

/** The ports that a scrape reads: the position of the relay, and the API keys. */
export type StorePorts = Pick<Ports, 'log' | 'relay' | 'apiKeys' | 'clock'>

/** The ports of a relay that are measured. */
export type MeasuredPorts = Pick<Ports, 'relay' | 'publisher' | 'clock'>

/** The relay of this instance. */
export interface RelayLevels {
  readonly isActive: boolean
  /** Undefined if the publisher has no connection. */
  readonly isConnected: boolean | undefined
}

/** How long a scrape waits for the store. */
const READ_TIMEOUT_MS = 2_000

const ageSeconds = ({ oldest }: Backlog, now: number): number =>
  O.isSome(oldest) ? Math.max(0, now - oldest.value) / 1_000 : 0

const WEEK_MS = 604_800_000

/** The number of keys whose callers need new ones; of a rotated key, the caller has its successor. */
const expiring = (keys: readonly ApiKey[], now: number): number =>
  keys.filter(
    ({ expiresAt, revokedAt, successor }) =>
      O.isNone(revokedAt) &&
      O.isNone(successor) &&
      O.exists((at: number) => at > now && at <= now + WEEK_MS)(expiresAt),
  ).length

interface StoreReading {
  readonly backlog: Backlog
  readonly keys: readonly ApiKey[]
}

const flag = (value: boolean | undefined) => one(value === undefined ? undefined : Number(value))

export const makeEventMetrics = () => {
  const delays = longDurations()
  const totals = { published: 0, failed: 0, parked: 0, readFailures: 0 }
  let reading: Promise<E.Either<Unavailable, StoreReading>> | undefined

  /** Undefined if the store does not respond in time. One read at a time, because a store that is away responds late. */
  const readInTime = async (ports: StorePorts): Promise<StoreReading | undefined> => {
    const read = pipe(TE.Do, TE.apS('backlog', readBacklog(ports)), TE.apS('keys', ports.apiKeys.list))
    reading ??= read().finally(() => {
      reading = undefined
    })
    const late = new Promise<undefined>((resolve) => {
      setTimeout(resolve, READ_TIMEOUT_MS, undefined).unref()
    })
    const found = await Promise.race([reading, late])
    if (found !== undefined && E.isRight(found)) return found.right
    totals.readFailures += 1
    return undefined
  }

  const measure = <P extends MeasuredPorts>(ports: P): P => {
    const { relay, publisher, clock } = ports
    let parked = 0
    return {
      ...ports,
      publisher: {
        ...publisher,
        publish: (events) => async () => {
          const deliveries = await publisher.publish(events)()
          const now = clock.now()
          // events without a delivery were not tried
          for (const [at, { _tag }] of deliveries.entries()) {
            const isDelivered = _tag === 'Delivered'
            totals[isDelivered ? 'published' : 'failed'] += 1
            if (isDelivered) delays.observe(Math.max(0, now - (events[at]?.time ?? now)))
          }
          return deliveries
        },
      },
      relay: {
        ...relay,
        load: async () => {
          const loaded = await relay.load()
          if (E.isRight(loaded) && O.isSome(loaded.right)) parked = loaded.right.value.parked.length
          return loaded
        },
        save: (record) => async () => {
          const saved = await relay.save(record)()
          if (E.isRight(saved) && saved.right) {
            totals.parked += Math.max(0, record.parked.length - parked)
            parked = record.parked.length
          }
          return saved
        },
      },
    }
  }

  const read = async (store: StorePorts | undefined, relay: RelayLevels | undefined) => {
    const found = store && (await readInTime(store))
    const backlog = found?.backlog
    return {
      animal_store_relay_backlog: one(backlog?.size),
      animal_store_relay_oldest_age_seconds: one(found && ageSeconds(found.backlog, store.clock.now())),
      animal_store_api_keys_expiring: one(found && expiring(found.keys, store.clock.now())),
      animal_store_relay_parked: one(backlog?.parked),
      animal_store_relay_position: one(backlog?.position),
      animal_store_log_head: one(backlog?.head),
      animal_store_relay_read_failures_total: one(totals.readFailures),
      animal_store_relay_is_active: flag(relay?.isActive),
      animal_store_broker_connected: flag(relay?.isConnected),
      animal_store_events_published_total: one(totals.published),
      animal_store_events_failed_total: one(totals.failed),
      animal_store_events_parked_total: one(totals.parked),
      animal_store_event_delay_seconds: one(delays.read()),
    }
  }
  return { measure, read }
}
