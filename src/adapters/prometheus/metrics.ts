// Metrics of the running service, for Prometheus to scrape.
import type { Clock } from '../../ports/clock.js'
import type { EventPublisher } from '../../ports/event-publisher.js'
import type { Damage } from '../../ports/notice.js'
import type { RequestReport, StoreObserver, StreamChange } from '../../ports/observer.js'
import type { Instrument, StoreOperation } from '../../ports/store.js'
import { type Instruments, makeInstruments, type PromClient, show } from './catalogue.js'
import { measureEvents } from './event-metrics.js'
import { measureStore } from './store-metrics.js'
import type { Watched } from './watched.js'

export interface Metrics {
  readonly responded: (request: RequestReport) => void
  readonly stream: (change: StreamChange) => void
  readonly damaged: (damage: Damage) => void
  /** Counts and times the calls of a function of the store. */
  readonly operation: (operation: StoreOperation) => Instrument
  /** For the settings of a store: receives what the store measures about itself. */
  readonly storeObserver: StoreObserver
  /** Counts the events that the publisher delivers, and measures their delay. */
  readonly publisher: (publisher: EventPublisher, clock: Pick<Clock, 'now'>) => EventPublisher
  /** Adds parts of the service to read. */
  readonly watch: (parts: Watched) => void
  /** All metrics in the text format, and their media type. */
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
}

export interface MetricsSettings {
  /** The version of the service, for `animal_store_build_info`. */
  readonly version?: string | undefined
}

/** Series that exist from the start: `increase()` would miss the first count of a new series. */
const FAILURES: readonly string[] = ['internal_error', 'unavailable']
const REFUSED_STREAM = { route: '/v1/events', method: 'GET', status: 503, code: 'unavailable' }

/** Takes 1.5 µs per request. Caching children of a counter saves nothing, because each `inc` hashes its labels. */
const countRequests = (metrics: Instruments) => {
  for (const code of FAILURES) metrics.http_requests_failed_total.inc({ code }, 0)
  metrics.http_requests_total.inc(REFUSED_STREAM, 0)

  return {
    responded: (request: RequestReport): void => {
      const { route, method, status, code = '', milliseconds, isDeprecated, keyId, detail, events } = request
      metrics.http_requests_total.inc({ route, method, status, code })
      // a health probe's 503 is a report, not a failed request
      if (FAILURES.includes(code) && !route.startsWith('/health/')) metrics.http_requests_failed_total.inc({ code })
      if (milliseconds !== undefined && events === undefined)
        metrics.http_request_duration_seconds.observe({ route, method }, milliseconds / 1_000)
      if (isDeprecated) metrics.animal_store_deprecated_requests_total.inc({ route, method, key_id: keyId ?? '' })
      if (detail === 'shed') metrics.http_requests_shed_total.inc()
      if (detail === 'replayed') metrics.animal_store_replayed_creates_total.inc()
    },
    stream: ({ open, events }: StreamChange): void => {
      metrics.animal_store_streams.inc(open)
      metrics.animal_store_stream_events_total.inc(events)
    },
  }
}

/** Embedders need not install prom-client. Bundlers tolerate an import that they cannot resolve only inside `try`. */
const loadPromClient = async (): Promise<PromClient> => {
  try {
    return await import('prom-client')
  } catch (cause) {
    throw new Error('metrics need the package prom-client: npm install prom-client', { cause })
  }
}

/** The metrics of a service. Rejects without prom-client. */
export const loadMetrics = async ({ version = 'unknown' }: MetricsSettings = {}): Promise<Metrics> => {
  const prom = await loadPromClient()
  const registry = new prom.Registry()
  const instruments = makeInstruments(prom, registry)
  const { collect: collectStore, ...stores } = measureStore(instruments)
  const { collect: collectEvents, publisher } = measureEvents(instruments)
  let watched: Watched = {}
  instruments.animal_store_build_info.set({ version, node: process.versions.node }, 1)
  // takes 1 % of a core
  prom.collectDefaultMetrics({ register: registry })

  return {
    ...countRequests(instruments),
    ...stores,
    publisher,
    watch: (parts) => {
      watched = { ...watched, ...parts }
    },
    // not prom-client's `collect` per gauge, because one read of the store sets several gauges
    render: async () => {
      await collectEvents(watched.store, watched.relay?.())
      collectStore()
      const server = watched.server?.()
      show(instruments.http_requests_in_flight, server?.inFlight)
      show(instruments.http_connections, server?.connections)
      instruments.http_connections_refused_total.reset()
      instruments.http_connections_refused_total.inc(server?.refusedConnections ?? 0)
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}
