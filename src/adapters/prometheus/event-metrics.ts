// Counts the events that this instance publishes, and reads the position of the relay at each scrape.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Unavailable } from '../../domain/errors.js'
import { type Backlog, readBacklog } from '../../domain/events/backlog.js'
import type { Clock } from '../../ports/clock.js'
import type { EventPublisher } from '../../ports/event-publisher.js'
import type { Ports } from '../../ports/index.js'
import type { RelayState } from '../../ports/relay-state.js'
import { type MetricName, one, type Samples } from './catalogue.js'
import { longDurations } from './histogram.js'

type Names = Extract<
  MetricName,
  | `animal_store_relay_${string}`
  | `animal_store_events_${string}`
  | 'animal_store_log_head'
  | 'animal_store_broker_connected'
  | 'animal_store_event_delay_seconds'
>

type LogPorts = Pick<Ports, 'log' | 'relay'>

/** The ports of a relay that are measured. */
export interface RelayPorts {
  readonly relay: RelayState
  readonly publisher: EventPublisher
  readonly clock: Clock
}

/** The relay of this instance. */
export interface RelayLevels {
  readonly isActive: boolean
  /** Undefined if the publisher has no connection. */
  readonly isConnected: boolean | undefined
}

export interface EventMetrics {
  /** Reads the position of the relay at each scrape. */
  readonly watchLog: (ports: LogPorts, clock: Clock) => void
  readonly watchRelay: (read: () => RelayLevels) => void
  readonly measure: <P extends RelayPorts>(ports: P) => P
  readonly read: () => Promise<Pick<Samples, Names>>
}

/** How long a scrape waits for the store. */
const READ_TIMEOUT_MS = 2_000

/** Of a store on which no relay has ever run. */
const NO_RELAY: Backlog = { size: 0, oldest: O.none, parked: 0, position: 0, head: 0 }

const backlogSamples = (backlog: Backlog | undefined, now: number) => {
  const sample = (value: (known: Backlog) => number) => (backlog === undefined ? [] : one(value(backlog)))
  const ageMs = ({ oldest }: Backlog): number => (O.isSome(oldest) ? Math.max(0, now - oldest.value) : 0)
  return {
    animal_store_relay_backlog: sample(({ size }) => size),
    animal_store_relay_oldest_age_seconds: sample((known) => ageMs(known) / 1_000),
    animal_store_relay_parked: sample(({ parked }) => parked),
    animal_store_relay_position: sample(({ position }) => position),
    animal_store_log_head: sample(({ head }) => head),
  }
}

const flag = (value: boolean | undefined) => (value === undefined ? [] : one(value ? 1 : 0))

export const makeEventMetrics = (): EventMetrics => {
  const delays = longDurations()
  const totals = { published: 0, failed: 0, parked: 0, readFailures: 0 }
  let watched: { readonly ports: LogPorts; readonly clock: Clock } | undefined
  let readRelay: (() => RelayLevels) | undefined
  let reading: Promise<E.Either<Unavailable, O.Option<Backlog>>> | undefined

  /** Undefined if the store does not answer in time. One read at a time, because a store that is away answers late. */
  const readInTime = async (ports: LogPorts): Promise<Backlog | undefined> => {
    reading ??= readBacklog(ports)().finally(() => {
      reading = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, READ_TIMEOUT_MS, undefined)
    })
    const outcome = await Promise.race([reading, late])
    clearTimeout(timer)
    if (outcome !== undefined && E.isRight(outcome)) return O.getOrElse(() => NO_RELAY)(outcome.right)
    totals.readFailures += 1
    return undefined
  }

  const measure = <P extends RelayPorts>(ports: P): P => {
    const { relay, publisher, clock } = ports
    let parked = 0
    return {
      ...ports,
      publisher: {
        ...publisher,
        publish: (events) => async () => {
          const deliveries = await publisher.publish(events)()
          const now = clock.now()
          // those without a delivery were not tried
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
          const outcome = await relay.load()
          if (E.isRight(outcome) && O.isSome(outcome.right)) parked = outcome.right.value.parked.length
          return outcome
        },
        save: (record) => async () => {
          const outcome = await relay.save(record)()
          if (E.isRight(outcome) && outcome.right) {
            totals.parked += Math.max(0, record.parked.length - parked)
            parked = record.parked.length
          }
          return outcome
        },
      },
    }
  }

  return {
    watchLog: (ports, clock) => {
      watched = { ports, clock }
    },
    watchRelay: (read) => {
      readRelay = read
    },
    measure,
    read: async () => {
      const backlog = watched && (await readInTime(watched.ports))
      const relay = readRelay?.()
      return {
        ...backlogSamples(backlog, watched?.clock.now() ?? 0),
        animal_store_relay_read_failures_total: one(totals.readFailures),
        animal_store_relay_is_active: flag(relay?.isActive),
        animal_store_broker_connected: flag(relay?.isConnected),
        animal_store_events_published_total: one(totals.published),
        animal_store_events_failed_total: one(totals.failed),
        animal_store_events_parked_total: one(totals.parked),
        animal_store_event_delay_seconds: [{ labels: {}, value: delays.read() }],
      }
    },
  }
}
