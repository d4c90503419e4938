// The composition root: a whole service over ports, with HTTP, relay, metrics, log and stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { loadLimiter } from '../adapters/http/access/rate-limit.js'
import { koaListener } from '../adapters/http/koa/app.js'
import { type HttpServer, makeServer, stopServer, watchConnections } from '../adapters/http/server/make-server.js'
import { nodeCrypto, systemClock } from '../adapters/node/system.js'
import { findTracing } from '../adapters/opentelemetry/channel.js'
import { loadMetrics, type Metrics } from '../adapters/prometheus/metrics.js'
import { type Unavailable, unavailable } from '../domain/errors.js'
import type { LogReader } from '../domain/pets/add-pet.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Ports } from '../ports/index.js'
import type { ServedStore } from '../ports/store.js'
import { instrumentStore } from './instrument-store.js'
import { listen } from './listen.js'
import { makeMetricsServer, type ServiceSettings } from './make-listener.js'
import { failuresOnly, logNotify, logObserver, type ServiceLog, VERSION } from './service-log.js'
import { prepareRelay, reportWaiting, startRelaying } from './start-relaying.js'
import { useCasesOf } from './use-cases.js'

/** The parts that a service runs on. */
export interface StartPorts extends Partial<Pick<Ports, 'clock' | 'crypto'>> {
  /** Closed when the service stops, or if it cannot start. */
  readonly store: ServedStore
  /** Makes the publisher of the store's events, which then needs `relay`; `source` is the public base address. */
  readonly publisher?: (source: string) => EventPublisher
  /** Default: metrics of its own, if `metricsPort` is set. */
  readonly metrics?: Metrics | undefined
  /** Default: errors alone, on stderr. Its functions must not throw. */
  readonly log?: ServiceLog
}

export interface RunningService {
  /** Where it listens, with `/v1` and the real port. */
  readonly url: string
  /** Where its metrics are; undefined if they are not served. */
  readonly metricsUrl: string | undefined
  /**
   * Completes the requests in flight, then closes the store. Resolves to whether every request got its response. Idempotent: later
   * calls wait for the first one, and resolve to the same.
   */
  readonly stop: Task<boolean>
}

/** Without a port, prom-client, which takes 10 % of a start, is neither needed nor loaded. */
export const metricsOf = async ({ metricsPort }: Pick<ServiceSettings, 'metricsPort'>): Promise<Metrics | undefined> =>
  metricsPort === undefined ? undefined : loadMetrics({ version: VERSION })

const closeNow = (http: HttpServer | undefined): void => {
  http?.server.close()
  http?.connections.destroyAll()
}

/** The embedded store waits 4 s for its last writes. */
const CLOSE_TIMEOUT_MS = 5_000

/** For the relay to save its position and give up its lease, even if clients have used up the time of the stop: else no event is sent for ten seconds. */
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
  const logAndRelay = store.relay && { log: store.log, relay: store.relay }
  const relayed = logAndRelay && publisher && { ...logAndRelay, publisher }
  if (publisher !== undefined && relayed === undefined)
    throw new Error('the store has no relay, which a publisher needs')
  const notify = logNotify(log)
  const responded = logObserver(log, metrics?.responded, tracing?.responded)
  const observer = metrics === undefined ? responded : { ...responded, stream: metrics.stream }
  const stopping = new AbortController()
  let relay: ReturnType<typeof startRelaying> | undefined
  const reader: LogReader = { adding: (event) => relay?.adding(event), added: () => relay?.added() }
  const useCases = useCasesOf({ ...store, clock, crypto }, publisher && reader)
  const listener = koaListener(useCases, { ...settings, observer, stopping: stopping.signal })
  const http = makeServer(tracing?.listener(listener) ?? listener, { ...settings, observer })
  const refusedConnections = watchConnections(http, notify)
  metrics?.watch({
    store: { ...ports.store, clock },
    relay: () => relay?.levels(),
    server: () => ({
      inFlight: http.connections.inFlight(),
      connections: http.connections.count(),
      refusedConnections: refusedConnections(),
    }),
  })
  const scraped = metrics && makeMetricsServer(metrics, log)
  let url: string
  let metricsUrl: string | undefined
  try {
    if (settings.metricsPort !== undefined && scraped !== undefined) {
      metricsUrl = `${await listen(scraped.server, settings.metricsHost, settings.metricsPort, 'METRICS_')}/metrics`
    }
    if (relayed !== undefined) await prepareRelay(relayed)
    url = `${await listen(http.server, settings.host, settings.port, '')}/v1`
    if (relayed !== undefined) {
      const made = relayed.publisher(settings.publicUrl ?? url)
      const traced = tracing?.publisher(made) ?? made
      const measured = metrics?.publisher(traced, clock) ?? traced
      relay = startRelaying({ ...relayed, clock, crypto, publisher: measured }, notify)
    }
  } catch (error) {
    for (const server of [http, scraped]) closeNow(server)
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
    closeNow(scraped)
    await closeStore(store, orWarn('the store could not be closed'))
    await tracing?.flush().catch(orWarn('the last spans were not exported'))
    log.info({ isComplete }, 'stopped')
    return isComplete
  }
  let stopped: Promise<boolean> | undefined
  return { url, metricsUrl, stop: () => (stopped ??= stopOnce()) }
}

/**
 * Starts a service that listens, relays and logs. `Unavailable` if it cannot listen (the message names the address), or if
 * `metricsPort` is set without prom-client or `rateLimit` without limiter, or if a number or a text of the settings is invalid; the store is
 * closed then. Reads nothing from the environment, and handles no signals.
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
      // why it could not start says more
      await closeStore(ports.store, () => {})
      throw error
    }
  }, unavailable)
