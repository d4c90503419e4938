// The composition root: a whole service over ports, with HTTP, relay, metrics, log and shutdown.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { loadLimiter } from '../adapters/http/access/rate-limit.js'
import { koaListener } from '../adapters/http/koa/app.js'
import { isIdle, makeServer } from '../adapters/http/server/make-server.js'
import { destroyServer, stopServer } from '../adapters/http/server/stop-server.js'
import { nodeCrypto, systemClock } from '../adapters/node/system.js'
import { findTracing } from '../adapters/opentelemetry/channel.js'
import { loadMetrics, type Metrics } from '../adapters/prometheus/metrics.js'
import { type Unavailable, unavailable } from '../domain/errors.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Ports } from '../ports/index.js'
import type { ServedStore } from '../ports/store.js'
import { instrumentStore } from './instrument-store.js'
import { listen } from './listen.js'
import { makeMetricsServer, type ServiceSettings } from './make-listener.js'
import { failuresOnly, logNotify, logObserver, type ServiceLog, VERSION } from './service-log.js'
import { reportWaiting, startRelaying } from './start-relaying.js'
import { useCasesOf } from './use-cases.js'
import { watchConnections } from './watch-connections.js'

/** The parts that a service runs on. */
export interface StartPorts extends Partial<Pick<Ports, 'clock' | 'crypto'>> {
  /** Closed when the service stops, or if it cannot start. */
  readonly store: ServedStore
  /** Makes the publisher of the store's events, which needs `log` and `relay`; `source` is the public base address. */
  readonly publisher?: (source: string) => EventPublisher
  /** Default: created if `metricsPort` is set. */
  readonly metrics?: Metrics | undefined
  /** Default: only errors, on stderr. Its functions must not throw. */
  readonly log?: ServiceLog
}

export interface RunningService {
  /** The base address, with `/v1` and the real port. */
  readonly url: string
  /** The address of the metrics; undefined if they are not served. */
  readonly metricsUrl: string | undefined
  /**
   * Completes the requests in flight, then closes the store. Resolves to whether every request got its response.
   * Idempotent: later calls resolve to the result of the first one.
   */
  readonly stop: Task<boolean>
}

/** Loads prom-client only if metrics are served, because it takes 10 % of startup. */
export const metricsOf = async ({ metricsPort }: Pick<ServiceSettings, 'metricsPort'>): Promise<Metrics | undefined> =>
  metricsPort === undefined ? undefined : loadMetrics({ version: VERSION })

/** More than the 4 s for which the embedded store waits for its last writes. */
const CLOSE_TIMEOUT_MS = 5_000

/** Minimum time for the relay to give up its lease: otherwise, no events are sent until it expires, after 10 s. */
const RELAY_STOP_MS = 1_000

const closeStore = async (store: ServedStore, onFailure: (cause: unknown) => void): Promise<void> => {
  const closing = async (): Promise<void> => store.close()
  await Promise.race([closing().catch(onFailure), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
}

const start = async (settings: ServiceSettings, ports: StartPorts): Promise<RunningService> => {
  const { publisher, clock = systemClock, crypto = nodeCrypto, log = failuresOnly } = ports
  const metrics = ports.metrics ?? (await metricsOf(settings))
  if (settings.rateLimit !== undefined) await loadLimiter()
  const tracing = findTracing()
  const store = instrumentStore(
    ports.store,
    [metrics, tracing].flatMap((observer) => observer?.operation ?? []),
  )
  const logAndRelay = store.log && store.relay && { log: store.log, relay: store.relay }
  const relayed = logAndRelay && publisher && { ...logAndRelay, publisher }
  if (publisher !== undefined && relayed === undefined) {
    throw new Error(`the store has no ${store.log === undefined ? 'log' : 'relay'}, which a publisher needs`)
  }
  const notify = logNotify(log)
  const responded = logObserver(log, metrics?.responded, tracing?.responded)
  const observer = metrics === undefined ? responded : { ...responded, stream: metrics.stream }
  const stopping = new AbortController()
  let relay: ReturnType<typeof startRelaying> | undefined
  const useCases = useCasesOf({ ...store, clock, crypto }, publisher && { added: () => relay?.added() })
  const listener = koaListener(useCases, { ...settings, observer, stopping: stopping.signal })
  const http = makeServer(tracing?.listener(listener) ?? listener, { ...settings, observer })
  const refusedConnections = watchConnections(http, notify)
  metrics?.watch({
    store: { ...ports.store, clock },
    relay: () => relay?.levels(),
    server: () => ({
      inFlight: [...http.connections.values()].filter((connection) => !isIdle(connection)).length,
      connections: http.connections.size,
      refusedConnections: refusedConnections(),
    }),
  })
  const scraped = metrics && makeMetricsServer(metrics, log)
  let url: string
  let metricsUrl: string | undefined
  try {
    if (settings.metricsPort !== undefined && scraped !== undefined) {
      const names = { host: 'metricsHost', port: 'metricsPort' }
      metricsUrl = `${await listen(scraped.server, settings.metricsHost, settings.metricsPort, names)}/metrics`
    }
    url = `${await listen(http.server, settings.host, settings.port, { host: 'host', port: 'port' })}/v1`
    if (relayed !== undefined) {
      const made = relayed.publisher(settings.publicUrl ?? url)
      const traced = tracing?.publisher(made) ?? made
      const measured = metrics?.publisher(traced, clock) ?? traced
      relay = startRelaying({ ...relayed, clock, crypto, publisher: measured }, notify)
    }
  } catch (error) {
    for (const server of [http, scraped]) if (server !== undefined) destroyServer(server)
    throw error
  }
  if (relayed === undefined && logAndRelay !== undefined) void reportWaiting(logAndRelay, log, stopping.signal)
  log.info({ url }, 'listening')
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening')

  const orWarn = (warning: string) => (cause: unknown) => log.warn({ err: cause }, warning)
  const stopOnce = async (): Promise<boolean> => {
    stopping.abort()
    const deadline = clock.monotonicMs() + settings.drainMs + settings.shutdownMs
    const isComplete = await stopServer(http, settings)
    const leftMs = Math.max(RELAY_STOP_MS, deadline - clock.monotonicMs())
    await relay?.stop(leftMs).catch(orWarn('the publisher could not be closed'))
    if (scraped !== undefined) destroyServer(scraped)
    await closeStore(store, orWarn('the store could not be closed'))
    await tracing?.flush().catch(orWarn('the last spans were not exported'))
    log.info({ isComplete }, 'stopped')
    return isComplete
  }
  let stopped: Promise<boolean> | undefined
  return { url, metricsUrl, stop: () => (stopped ??= stopOnce()) }
}

/**
 * Starts a service that listens, relays and logs. `Unavailable` if it cannot listen (the message names the setting and the address), if
 * `metricsPort` is set without prom-client or `rateLimit` without limiter, or if a setting is invalid; the store is then
 * closed. Reads nothing from the environment, and handles no signals.
 *
 * @example
 * const store = makeMemoryStore()
 * const started = await startService({ ...DEFAULT_SERVICE, port: 0, drainMs: 0 }, { store })()
 * E.isRight(started) && (await started.right.stop()) // => true
 */
export const startService = (
  settings: ServiceSettings,
  ports: StartPorts,
): TE.TaskEither<Unavailable, RunningService> =>
  TE.tryCatch(async () => {
    try {
      return await start(settings, ports)
    } catch (error) {
      // a failure to close must not hide the first error
      await closeStore(ports.store, () => {})
      throw error
    }
  }, unavailable)
