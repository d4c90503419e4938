// Metrics of the running service, for Prometheus to scrape.
import { createServer, type Server } from 'node:http'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Damage } from '../../ports/notice.js'
import type { StreamChange } from '../../ports/observer.js'
import type { Around, StoreOperation } from '../../ports/store.js'
import type { StoreObserver } from '../../ports/store-observer.js'
import { type Distribution, METRIC_NAMES, one, rowOf, type Samples } from './catalogue.js'
import { type MeasuredPorts, makeEventMetrics, type RelayLevels, type StorePorts } from './event-metrics.js'
import { type MeasuredRequest, makeRequestMetrics } from './request-metrics.js'
import { makeStoreMetrics } from './store-metrics.js'

/** The parts of the service that each scrape reads, as far as there are any. */
interface Watched {
  readonly store?: StorePorts
  readonly relay?: () => RelayLevels
  readonly server?: () => {
    readonly inFlight: number
    readonly connections: number
    /** Connections closed at once since the start. */
    readonly refusedConnections: number
  }
}

export interface Metrics {
  readonly responded: (request: MeasuredRequest) => void
  readonly stream: (change: StreamChange) => void
  readonly damaged: (damage: Damage) => void
  /** Counts and times the calls of a function of the store. */
  readonly operation: (operation: StoreOperation) => Around
  /** For the settings of a store: receives what the store measures about itself. */
  readonly storeObserver: StoreObserver
  /** The ports of a relay, with the events that it publishes counted. */
  readonly measureRelay: <P extends MeasuredPorts>(ports: P) => P
  /** Adds parts of the service to read. */
  readonly watch: (parts: Watched) => void
  /** Rejects if prom-client, which is needed to render metrics, is not installed. */
  readonly loaded: Task<void>
  /** All metrics in the text format, and their media type. */
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
}

export interface MetricsSettings {
  /** Of the service, for `animal_store_build_info`. */
  readonly version?: string | undefined
}

/** prom-client's registry renders any metric with a name and this function, which its type does not say. */
interface OpenRegistry {
  registerMetric(metric: { readonly name?: string; readonly get: () => Promise<object> }): void
}

interface AnySample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number | Distribution
}

const rendered = (name: string, { labels, value }: AnySample): readonly object[] => {
  if (typeof value === 'number') return [{ labels, value }]
  let count = 0
  const buckets = [...value.bounds.map(String), '+Inf'].map((le, at) => {
    count += value.counts[at] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
  })
  const sum = { metricName: `${name}_sum`, labels, value: value.sum }
  return [...buckets, sum, { metricName: `${name}_count`, labels, value: count }]
}

const register = (registry: OpenRegistry, samples: Samples): void => {
  for (const name of METRIC_NAMES) {
    const all: readonly AnySample[] = samples[name]
    const metric = { name, ...rowOf(name), values: all.flatMap((sample) => rendered(name, sample)) }
    registry.registerMetric({ name, get: async () => metric })
  }
}

export const makeMetrics = ({ version = 'unknown' }: MetricsSettings = {}): Metrics => {
  const requests = makeRequestMetrics()
  const stores = makeStoreMetrics()
  const events = makeEventMetrics()
  let watched: Watched = {}

  // loaded here and not above, because it takes 10 % of startup
  const loading = import('prom-client').then((client) => {
    const ofProcess = new client.Registry()
    // takes 1 % of a core
    client.collectDefaultMetrics({ register: ofProcess })
    return { ...client, ofProcess }
  })
  // `loaded` and each scrape fail with the reason; unhandled before that, it would end the process
  loading.catch(() => {})

  return {
    responded: requests.responded,
    stream: requests.stream,
    damaged: stores.damaged,
    operation: stores.operation,
    storeObserver: stores.observer,
    measureRelay: events.measure,
    watch: (parts) => {
      watched = { ...watched, ...parts }
    },
    loaded: async () => {
      await loading
    },
    render: async () => {
      const { Registry, ofProcess } = await loading
      const { store, relay, server } = watched
      const eventSamples = await events.read(store, relay?.())
      const levels = server?.()
      const registry = new Registry()
      register(registry, {
        ...requests.read(),
        ...stores.read(),
        ...eventSamples,
        http_requests_in_flight: one(levels?.inFlight),
        http_connections: one(levels?.connections),
        http_connections_refused_total: one(levels?.refusedConnections),
        animal_store_build_info: [{ labels: { version, node: process.versions.node }, value: 1 }],
      })
      return { text: await Registry.merge([registry, ofProcess]).metrics(), contentType: registry.contentType }
    },
  }
}

/** Serves `/metrics`, on a port of its own. The caller makes it listen. */
export const makeMetricsServer = (metrics: Metrics): Server =>
  createServer((request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      return
    }
    metrics.render().then(
      ({ text, contentType }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
