// A whole service over ports: HTTP, relay, metrics, log and stop.

import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { makeServer } from '../adapters/http/server/make-server.js'
import { stopServer } from '../adapters/http/server/stop-server.js'
import { makeNewPetParser } from '../adapters/node/new-pet-parser.js'
import { nodeCrypto, systemClock } from '../adapters/node/system.js'
import { findTracing } from '../adapters/opentelemetry/channel.js'
import { type Metrics, makeMetrics, makeMetricsServer } from '../adapters/prometheus/metrics.js'
import { type Unavailable, unavailable } from '../domain/errors.js'
import { readBacklog } from '../domain/events/backlog.js'
import { wakingAfterAdd } from '../domain/events/read-feed.js'
import type { Ports } from '../ports/index.js'
import type { Store } from '../ports/store.js'
import { aroundStore } from './around-store.js'
import { makeService } from './http/make-service.js'
import { listen } from './listen.js'
import { VERSION } from './package-version.js'
import { failuresOnly, logNotify, logObserver, type ServiceLog } from './service-log.js'
import type { ServiceSettings } from './service-settings.js'
import { type ClosablePublisher, type EventRelay, endOf, startRelaying } from './start-relaying.js'
import { watchConnections } from './watch-connections.js'

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
  /** Answers what is in flight, then closes the store. Resolves to whether every request was answered. */
  readonly stop: Task<boolean>
}

/** Undefined unless they are to be served. */
export const metricsOf = ({ metricsPort }: Pick<ServiceSettings, 'metricsPort'>): Metrics | undefined =>
  metricsPort === undefined ? undefined : makeMetrics({ version: VERSION })

/** Events of pets that the log does not hold would never be sent. */
const refuseMixed = ({ pets, ids, log, relay }: Store): void => {
  if (new Set([pets, ids, log, relay].map(({ storage }) => storage)).size > 1) {
    throw new Error('the ports pets, ids, log and relay of the store belong to different storages')
  }
}

/** Says once that events wait, on a store whose relay runs elsewhere or not at all. */
const reportWaiting = async (store: Store, log: ServiceLog): Promise<void> => {
  const backlog = await readBacklog(store)()
  if (E.isLeft(backlog) || O.isNone(backlog.right) || backlog.right.value.size === 0) return
  log.warn(
    { waiting: backlog.right.value.size },
    'EVENTS_URL is not set: events wait until a process that has it sends them',
  )
}

const start = async (settings: ServiceSettings, ports: StartPorts): Promise<RunningService> => {
  refuseMixed(ports.store)
  const { publisher, clock = systemClock, crypto = nodeCrypto, log = failuresOnly } = ports
  const metrics = ports.metrics ?? metricsOf(settings)
  const tracing = findTracing()
  const measured = metrics === undefined ? ports.store : aroundStore(ports.store, metrics.operation)
  const store = tracing === undefined ? measured : aroundStore(measured, tracing.operation)
  const notify = logNotify(log)
  const observed = logObserver(log, metrics?.responded, tracing?.responded)
  const observer = metrics === undefined ? observed : { ...observed, stream: metrics.stream }
  const stopping = new AbortController()
  let relay: EventRelay | undefined
  const pets = publisher === undefined ? store.pets : wakingAfterAdd(store.pets, () => relay?.wake())
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
  let url: string
  let metricsUrl: string | undefined
  const closeMetrics = (): void => {
    metricsServer?.close()
    metricsServer?.closeAllConnections()
  }
  try {
    if (settings.metricsPort !== undefined && metricsServer !== undefined) {
      await metrics?.loaded()
      metricsUrl = `${await listen(metricsServer, settings.metricsHost, settings.metricsPort, 'METRICS_')}/metrics`
    }
    // a pet created as soon as this listens must not be older than its relay
    const startsAfter = publisher === undefined ? undefined : await endOf(store)
    url = `${await listen(http.server, settings.host, settings.port, '')}/v1`
    if (publisher !== undefined) {
      const made = publisher(settings.publicUrl ?? url)
      const relayed = { log: store.log, relay: store.relay, clock, crypto, publisher: tracing?.publisher(made) ?? made }
      const started = startRelaying(metrics?.measureRelay(relayed) ?? relayed, startsAfter, notify)
      metrics?.watch({ relay: started.levels })
      relay = started
    }
  } catch (error) {
    http.server.close()
    http.connections.destroyAll()
    closeMetrics()
    throw error
  }
  if (publisher === undefined) void reportWaiting(store, log)
  log.info({ url }, 'listening')
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening')

  const orWarn = (work: Promise<void> | undefined, warning: string): Promise<void> | undefined =>
    work?.catch((cause: unknown) => log.warn({ err: cause }, warning))

  const stop = async (): Promise<boolean> => {
    stopping.abort()
    const deadline = clock.monotonicMs() + settings.drainMs + settings.shutdownMs
    const isComplete = await stopServer(http, settings)
    const leftMs = Math.max(0, deadline - clock.monotonicMs())
    await orWarn(relay?.stop(leftMs), 'the publisher could not be closed')
    closeMetrics()
    parser.close()
    await store.close()
    await orWarn(tracing?.flush(), 'the last spans were not exported')
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
