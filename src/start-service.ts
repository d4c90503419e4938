// The composition root: a whole service over ports, with HTTP, relay, metrics, log and stop; and from the configuration to its ports.
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { documentation } from './adapters/http/endpoints/documentation.js'
import { makeServer, stopServer } from './adapters/http/server/make-server.js'
import { makeNewPetParser } from './adapters/node/new-pet-parser.js'
import { nodeCrypto, systemClock } from './adapters/node/system.js'
import { findTracing } from './adapters/opentelemetry/channel.js'
import type { Log } from './adapters/pino/log.js'
import type { Metrics } from './adapters/prometheus/metrics.js'
import { makeMetricsServer } from './adapters/prometheus/metrics-server.js'
import { instrumentStore } from './composition/instrument-store.js'
import { listen, watchConnections } from './composition/listen.js'
import { makeService, type ServiceSettings } from './composition/make-service.js'
import { openStore } from './composition/open-store.js'
import { failuresOnly, logNotify, logObserver, type ServiceLog, VERSION } from './composition/service-log.js'
import {
  type ClosablePublisher,
  type EventRelay,
  preparePublisher,
  reportWaiting,
  startRelaying,
} from './composition/start-relaying.js'
import type { Config } from './config/config.js'
import { type Unavailable, unavailable } from './domain/errors.js'
import { onAdded, refuseMixed } from './domain/events/read-feed.js'
import type { Ports } from './ports/index.js'
import type { ReportDamage } from './ports/notice.js'
import type { Store } from './ports/store.js'

/** The parts that a service runs on. */
export interface StartPorts extends Partial<Pick<Ports, 'clock' | 'crypto'>> {
  /** Closed when the service stops, or if it cannot start. */
  readonly store: Store
  /** Makes the publisher of the store's events; `source` is the public base address. */
  readonly publisher?: (source: string) => ClosablePublisher
  /** Default: metrics of its own, if `metricsPort` is set. */
  readonly metrics?: Metrics | undefined
  /** Default: errors alone, on stderr. */
  readonly log?: ServiceLog
}

export interface RunningService {
  /** Where it listens, with `/v1` and the real port. */
  readonly url: string
  /** Where its metrics are; undefined if they are not served. */
  readonly metricsUrl: string | undefined
  /** Completes the requests in flight, then closes the store. Resolves to whether every request got its response. */
  readonly stop: Task<boolean>
}

/** Without a port, prom-client, which takes 10 % of a start, is neither needed nor loaded. */
const metricsOf = async ({ metricsPort }: Pick<ServiceSettings, 'metricsPort'>): Promise<Metrics | undefined> => {
  if (metricsPort === undefined) return undefined
  const { makeMetrics } = await import('./adapters/prometheus/metrics.js')
  return makeMetrics({ version: VERSION })
}

const start = async (settings: ServiceSettings, ports: StartPorts): Promise<RunningService> => {
  refuseMixed(ports.store)
  const { publisher, clock = systemClock, crypto = nodeCrypto, log = failuresOnly } = ports
  const metrics = ports.metrics ?? (await metricsOf(settings))
  const tracing = findTracing()
  const store = instrumentStore(
    ports.store,
    [metrics, tracing].flatMap((observer) => observer?.operation ?? []),
  )
  const notify = logNotify(log)
  const responded = logObserver(log, metrics?.responded, tracing?.responded)
  const observer = metrics === undefined ? responded : { ...responded, stream: metrics.stream }
  const stopping = new AbortController()
  let relay: EventRelay | undefined
  const pets = publisher === undefined ? store.pets : onAdded(store.pets, (event) => relay?.added(event))
  const parser = makeNewPetParser({ ...settings, notify })
  const service = makeService(
    { ...store, pets, clock, crypto },
    {
      ...settings,
      parseNewPet: parser.parse,
      observer,
      notify,
      stopping: stopping.signal,
    },
  )
  const http = makeServer(tracing?.listener(service) ?? service, { ...settings, observer })
  const refusedConnections = watchConnections(http, notify)
  metrics?.watch({
    store: { ...ports.store, clock },
    server: () => ({
      inFlight: http.connections.inFlight(),
      connections: http.connections.count(),
      refusedConnections: refusedConnections(),
    }),
  })
  const metricsServer = metrics && makeMetricsServer(metrics)
  const closeMetrics = (): void => {
    metricsServer?.close()
    metricsServer?.closeAllConnections()
  }
  let url: string
  let metricsUrl: string | undefined
  try {
    if (settings.metricsPort !== undefined && metricsServer !== undefined) {
      metricsUrl = `${await listen(metricsServer, settings.metricsHost, settings.metricsPort, 'METRICS_')}/metrics`
    }
    url = `${await listen(http.server, settings.host, settings.port, '')}/v1`
    if (publisher !== undefined) {
      const made = publisher(settings.publicUrl ?? url)
      const relayed = { log: store.log, relay: store.relay, clock, crypto, publisher: tracing?.publisher(made) ?? made }
      const started = startRelaying(metrics?.measureRelay(relayed) ?? relayed, notify)
      metrics?.watch({ relay: started.levels })
      relay = started
    }
  } catch (error) {
    http.server.close()
    http.connections.destroyAll()
    closeMetrics()
    throw error
  }
  if (publisher === undefined) void reportWaiting(store, log, stopping.signal)
  log.info({ url }, 'listening')
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening')

  const orWarn = (warning: string) => (cause: unknown) => log.warn({ err: cause }, warning)
  const stop = async (): Promise<boolean> => {
    stopping.abort()
    const deadline = clock.monotonicMs() + settings.drainMs + settings.shutdownMs
    const isComplete = await stopServer(http, settings)
    const leftMs = Math.max(0, deadline - clock.monotonicMs())
    await relay?.stop(leftMs).catch(orWarn('the publisher could not be closed'))
    closeMetrics()
    parser.close()
    await store.close()
    await tracing?.flush().catch(orWarn('the last spans were not exported'))
    log.info({ isComplete }, 'stopped')
    return isComplete
  }
  return { url, metricsUrl, stop }
}

/**
 * Starts a service that listens, relays and logs. `Unavailable` if it cannot listen (the message names the address), or if
 * `metricsPort` is set without prom-client; the store is closed then. Reads nothing from the environment, and handles no signals.
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
      await ports.store.close()
      throw error
    }
  }, unavailable)

/**
 * Starts what the settings describe. Rejects with `BadConfiguration` before anything is opened, or with the failure to start.
 * Calls `endAtOnce` after the log line if the store cannot work again in this process.
 */
export const startConfigured = async (
  config: Config,
  log: Log,
  endAtOnce: () => Promise<never>,
): Promise<RunningService & { readonly store: Store }> => {
  const makePublisher = await preparePublisher(config)
  const metrics = await metricsOf(config)
  const reportDamage: ReportDamage = (damage) => {
    metrics?.damaged(damage)
    log.warn(damage, 'damaged record')
  }
  const store = await openStore(config, {
    reportDamage,
    notify: (notice) => {
      if (notice.level === 'fatal') {
        log.fatal(notice.details, notice.message)
        void endAtOnce()
      } else logNotify(log)(notice)
    },
    checksDataFile: true,
    observer: metrics?.storeObserver,
  })
  const publishing = makePublisher && { publisher: (source: string) => makePublisher(source, store, log) }
  const started = await startService({ ...config, documentation }, { store, metrics, log, ...publishing })()
  if (E.isLeft(started)) throw E.toError(started.left.cause)
  return { ...started.right, store }
}
