// Metrics of the running service, for Prometheus to scrape.
import type { Task } from 'fp-ts/lib/Task.js'
import type { Clock } from '../../ports/clock.js'
import type { Damage } from '../../ports/damage-report.js'
import type { Ports } from '../../ports/index.js'
import type { Around, StoreOperation } from '../../ports/operation.js'
import type { StoreObserver } from '../../ports/store-observer.js'
import { one } from './catalogue.js'
import { makeEventMetrics, type RelayLevels, type RelayPorts } from './event-metrics.js'
import { makeOperationMetrics } from './operation-metrics.js'
import { type MeasuredRequest, makeRequestMetrics, type ServerLevels } from './request-metrics.js'
import { makeStoreMetrics } from './store-metrics.js'
import { CONTENT_TYPE, textOf } from './text-format.js'

export interface Metrics {
  /** Counts a response and its duration. */
  readonly responded: (request: MeasuredRequest) => void
  /** Counts streams of events and what is sent on them. */
  readonly stream: (change: { readonly open: number; readonly events: number }) => void
  readonly damaged: (damage: Damage) => void
  /** For the settings of a store: receives what the store measures about itself. */
  readonly storeObserver: StoreObserver
  /** Counts and times the calls of a function of the store. */
  readonly operation: (operation: StoreOperation) => Around
  /** The ports of a relay, with the events that it publishes counted. */
  readonly measureRelay: <P extends RelayPorts>(ports: P) => P
  /** Reads the position of the relay at each scrape. */
  readonly watchLog: (ports: Pick<Ports, 'log' | 'relay'>, clock: Clock) => void
  /** Reads the relay of this process at each scrape. */
  readonly watchRelay: (read: () => RelayLevels) => void
  /** Reads the server at each scrape. */
  readonly watchServer: (read: () => ServerLevels) => void
  /** Rejects if prom-client, which is needed to serve metrics, is not installed. */
  readonly loaded: Task<void>
  /** All metrics in the text format, and their media type. */
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
}

export interface MetricsSettings {
  /** Whether metrics are served: watching the process takes 1 % of a core. */
  readonly isServed: boolean
  /** Of the service, for `animal_store_build_info`. */
  readonly version?: string | undefined
}

/**
 * The metrics of one service.
 *
 * @example
 * const metrics = makeMetrics({ isServed: false })
 * metrics.damaged({ record: 'pet', id: '1', reason: 'is not JSON' })
 */
export const makeMetrics = ({ isServed, version = 'unknown' }: MetricsSettings): Metrics => {
  const requests = makeRequestMetrics()
  const stores = makeStoreMetrics()
  const operations = makeOperationMetrics()
  const events = makeEventMetrics()
  let readServer: (() => ServerLevels) | undefined

  // loaded only where metrics are served, because it takes a tenth of a start
  const loading = isServed ? import('prom-client') : undefined
  const watching = loading?.then(({ collectDefaultMetrics, Registry }) => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    return registry
  })
  // `loaded` and each scrape fail with the reason; unhandled before that, it would end the process
  watching?.catch(() => {})

  return {
    responded: requests.responded,
    stream: requests.stream,
    damaged: stores.damaged,
    storeObserver: stores.observer,
    operation: operations.measure,
    measureRelay: events.measure,
    watchLog: events.watchLog,
    watchRelay: events.watchRelay,
    watchServer: (read) => {
      readServer = read
    },
    loaded: async () => {
      await watching
    },
    render: async () => {
      const [processText, eventSamples] = await Promise.all([watching?.then((found) => found.metrics()), events.read()])
      const server = readServer?.()
      const text = textOf({
        ...requests.read(),
        ...stores.read(),
        ...operations.read(),
        ...eventSamples,
        http_requests_in_flight: server === undefined ? [] : one(server.inFlight),
        http_connections: server === undefined ? [] : one(server.connections),
        http_connections_refused_total: server === undefined ? [] : one(server.refusedConnections),
        animal_store_build_info: [{ labels: { version, node: process.versions.node }, value: 1 }],
      })
      return { text: `${text}\n${processText ?? ''}`, contentType: CONTENT_TYPE }
    },
  }
}
