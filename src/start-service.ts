// The composition root: config → store → use cases → app → listen → stop.
import { type HttpServer, makeServer } from './adapters/http/server/make-server.js'
import { stopServer } from './adapters/http/server/stop-server.js'
import { systemClock } from './adapters/node/clock.js'
import { nodeCrypto } from './adapters/node/crypto.js'
import { wakingAfterAdd } from './adapters/node/relay-loop.js'
import { makeMetrics } from './adapters/prometheus/metrics.js'
import { makeMetricsServer } from './adapters/prometheus/server.js'
import { type EventRelay, prepareEventRelay } from './composition/event-relay.js'
import { listen } from './composition/listen.js'
import { type Log, logNotify, logObserver } from './composition/log.js'
import { makeService } from './composition/make-service.js'
import { openStore } from './composition/open-store.js'
import type { Config } from './config/config.js'
import type { ReportDamage } from './ports/damage-report.js'
import type { Store } from './ports/store.js'

export interface RunningService {
  readonly store: Store
  /** Where it listens, with `/v1` and the real port. */
  readonly url: string
  /** Resolves to whether every request was answered. */
  readonly stop: () => Promise<boolean>
}

export const startService = async (config: Config, log: Log): Promise<RunningService> => {
  const { eventsUrl, eventsTypePrefix: typePrefix, secretVariables } = config
  const startEventRelay =
    eventsUrl === undefined
      ? undefined
      : await prepareEventRelay({ url: eventsUrl, variable: secretVariables.eventsUrl, typePrefix })
  const metrics = makeMetrics({ isServed: config.metricsPort !== undefined })
  const reportDamage: ReportDamage = (damage) => {
    metrics.damaged(damage)
    log.warn(damage, 'damaged record')
  }
  const store = await openStore(config, { reportDamage, notify: logNotify(log), checksDataFile: true })
  let isStopping = false
  let relay: EventRelay | undefined
  const pets = startEventRelay === undefined ? store.pets : wakingAfterAdd(store.pets, () => relay?.wake())
  const observer = logObserver(log, metrics.answered)
  const service = makeService(
    { ...store, pets, clock: systemClock, crypto: nodeCrypto },
    {
      ...config,
      observer,
      notify: logNotify(log),
      isStopping: () => isStopping,
    },
  )
  const http: HttpServer = makeServer(service, { requestTimeoutMs: config.requestTimeoutMs, observer })
  const metricsServer = makeMetricsServer(metrics)
  let url: string
  let metricsUrl: string | undefined
  const close = async (): Promise<void> => {
    metricsServer.close()
    metricsServer.closeAllConnections()
    await store.close()
  }
  try {
    if (config.metricsPort !== undefined) {
      metricsUrl = await listen(metricsServer, config.metricsHost, config.metricsPort, 'METRICS_')
    }
    url = `${await listen(http.server, config.host, config.port, '')}/v1`
  } catch (error) {
    await close()
    throw error
  }
  if (startEventRelay !== undefined) relay = startEventRelay(config.publicUrl ?? url, store, log)
  log.info({ url, store: config.store._tag }, 'listening')
  if (metricsUrl !== undefined) log.info({ url: `${metricsUrl}/metrics` }, 'metrics listening')

  const stop = async (): Promise<boolean> => {
    isStopping = true
    const deadline = Date.now() + config.drainMs + config.shutdownMs
    const isComplete = await stopServer(http, config)
    await relay?.stop(Math.max(0, deadline - Date.now()))
    await close()
    log.info({ isComplete }, 'stopped')
    return isComplete
  }
  return { store, url, stop }
}
