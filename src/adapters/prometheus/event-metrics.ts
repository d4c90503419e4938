// Counts the events that this instance publishes, and reads the outbox backlog at each scrape.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Unavailable } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { EventPublisher } from '../../ports/event-publisher.js'
import type { Backlog, Outbox } from '../../ports/outbox.js'
import { one, type Samples } from './catalogue.js'
import { longDurations } from './histogram.js'

type Names =
  | 'animal_store_outbox_backlog'
  | 'animal_store_outbox_oldest_age_seconds'
  | 'animal_store_outbox_parked'
  | 'animal_store_outbox_read_failures_total'
  | 'animal_store_events_published_total'
  | 'animal_store_events_failed_total'
  | 'animal_store_events_parked_total'
  | 'animal_store_event_delay_seconds'

/** The ports of a relay that are measured. */
export interface RelayPorts {
  readonly outbox: Outbox
  readonly publisher: EventPublisher
  readonly clock: Clock
}

export interface EventMetrics {
  /** Reads the outbox at each scrape. */
  readonly watch: (outbox: Pick<Outbox, 'backlog'>, clock: Clock) => void
  readonly measure: <P extends RelayPorts>(ports: P) => P
  readonly read: () => Promise<Pick<Samples, Names>>
}

/** How long a scrape waits for the outbox. */
const READ_TIMEOUT_MS = 2_000

const backlogSamples = (backlog: Backlog | undefined, now: number) => {
  if (backlog === undefined) {
    return {
      animal_store_outbox_backlog: [],
      animal_store_outbox_oldest_age_seconds: [],
      animal_store_outbox_parked: [],
    } as const
  }
  const ageMs = O.isSome(backlog.oldest) ? Math.max(0, now - backlog.oldest.value) : 0
  return {
    animal_store_outbox_backlog: one(backlog.size),
    animal_store_outbox_oldest_age_seconds: one(ageMs / 1_000),
    animal_store_outbox_parked: one(backlog.parked),
  }
}

export const makeEventMetrics = (): EventMetrics => {
  const delays = longDurations()
  const totals = { published: 0, failed: 0, parked: 0, readFailures: 0 }
  let watched: { readonly outbox: Pick<Outbox, 'backlog'>; readonly clock: Clock } | undefined
  let reading: Promise<E.Either<Unavailable, Backlog>> | undefined

  /** Undefined if the store does not answer in time. One read at a time, because a long backlog takes long to count. */
  const readBacklog = async (outbox: Pick<Outbox, 'backlog'>): Promise<Backlog | undefined> => {
    reading ??= outbox.backlog().finally(() => {
      reading = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, READ_TIMEOUT_MS, undefined)
    })
    const outcome = await Promise.race([reading, late])
    clearTimeout(timer)
    if (outcome !== undefined && E.isRight(outcome)) return outcome.right
    totals.readFailures += 1
    return undefined
  }

  const measure = <P extends RelayPorts>(ports: P): P => {
    const { outbox, publisher, clock } = ports
    return {
      ...ports,
      publisher: {
        ...publisher,
        publish: (events) => async () => {
          const deliveries = await publisher.publish(events)()
          const now = clock.now()
          for (const [at, { time }] of events.entries()) {
            const isDelivered = deliveries[at]?._tag === 'Delivered'
            totals[isDelivered ? 'published' : 'failed'] += 1
            if (isDelivered) delays.observe(Math.max(0, now - time))
          }
          return deliveries
        },
      },
      outbox: {
        ...outbox,
        settle: (settlements) => async () => {
          const outcome = await outbox.settle(settlements)()
          if (E.isRight(outcome)) totals.parked += settlements.filter(({ _tag }) => _tag === 'Parked').length
          return outcome
        },
      },
    }
  }

  return {
    watch: (outbox, clock) => {
      watched = { outbox, clock }
    },
    measure,
    read: async () => {
      const backlog = watched && (await readBacklog(watched.outbox))
      return {
        ...backlogSamples(backlog, watched?.clock.now() ?? 0),
        animal_store_outbox_read_failures_total: one(totals.readFailures),
        animal_store_events_published_total: one(totals.published),
        animal_store_events_failed_total: one(totals.failed),
        animal_store_events_parked_total: one(totals.parked),
        animal_store_event_delay_seconds: [{ labels: {}, value: delays.read() }],
      }
    },
  }
}
