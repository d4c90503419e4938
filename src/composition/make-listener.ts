// The HTTP service as a listener for Node's server, its metrics server, and service settings.
import { documentation } from '../adapters/http/endpoints/documentation.js'
import { metricsRoute } from '../adapters/http/endpoints/metrics.js'
import { koaListener, publicListener } from '../adapters/http/koa/app.js'
import { type HttpServer, type Listener, makeServer, type ServerSettings } from '../adapters/http/server/make-server.js'
import type { StopSettings } from '../adapters/http/server/stop-server.js'
import type { AppSettings } from '../adapters/http/settings.js'
import type { Metrics } from '../adapters/prometheus/metrics.js'
import { DEFAULTS } from '../config/settings.js'
import { failuresOnly, logObserver, type ServiceLog } from './service-log.js'
import { DEFAULT_HANDLER, type ServicePorts, useCasesOf } from './use-cases.js'

/** Defaults; responses are not reported, and causes of a 500 or 503 go to stderr. */
export const DEFAULT_SETTINGS: AppSettings = { ...DEFAULT_HANDLER, documentation }

/**
 * The whole HTTP service over these ports, as a listener for any Node server; several can run in one process. An
 * `Unavailable` of a port becomes a 503, and its cause goes to the observer. Throws if the ports belong to different
 * storages.
 */
export const makeListener = (ports: ServicePorts, settings: AppSettings): Listener =>
  koaListener(useCasesOf(ports), settings)

/** A server of `GET /metrics`; the caller makes it listen. Logs the cause of each 500, but no requests. */
export const makeMetricsServer = ({ render }: Pick<Metrics, 'render'>, log: ServiceLog = failuresOnly): HttpServer => {
  const settings = { ...DEFAULTS, ...DEFAULT_HANDLER, observer: { ...logObserver(log), responded: () => {} } }
  return makeServer(publicListener([metricsRoute(render)], settings), settings)
}

export interface ServiceSettings
  extends Omit<AppSettings, 'stopping' | 'observer'>,
    Omit<ServerSettings, 'observer' | 'publicUrl' | 'documentation'>,
    StopSettings {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly metricsHost: string
  /** Undefined: metrics are not served. */
  readonly metricsPort: number | undefined
}

export const DEFAULT_SERVICE: ServiceSettings = { ...DEFAULT_SETTINGS, ...DEFAULTS }
