// `animal-store/http`, to run the service on Node over your own ports: as a listener, or with relay, metrics and log.

export type { RateLimitSettings } from '../adapters/http/access/rate-limit.js'
export type { KoaContext, KoaMiddleware } from '../adapters/http/koa/middleware.js'
export type { Documentation, PublicEndpoint } from '../adapters/http/route.js'
export {
  type HttpServer,
  type Listener,
  makeServer,
  type ServerSettings,
} from '../adapters/http/server/make-server.js'
export { type StopSettings, stopServer } from '../adapters/http/server/stop-server.js'
export type { AppSettings } from '../adapters/http/settings.js'
export type { LineStream, Log } from '../adapters/pino/log.js'
export { loadMetrics, type Metrics, type MetricsSettings } from '../adapters/prometheus/metrics.js'
export type { Watched } from '../adapters/prometheus/watched.js'
export { loadJsonLog } from '../composition/json-log.js'
export { makeKoaMiddleware } from '../composition/make-koa-middleware.js'
export {
  DEFAULT_SERVICE,
  DEFAULT_SETTINGS,
  makeListener,
  makeMetricsServer,
  type ServiceSettings,
} from '../composition/make-listener.js'
export { type ServiceLog, silentLog } from '../composition/service-log.js'
export { type RunningService, type StartPorts, startService } from '../composition/start-service.js'
export type { ServicePorts } from '../composition/use-cases.js'
export type { Observer, RequestReport, StreamChange } from '../ports/observer.js'
export type {
  Damage,
  EventPublisher,
  Instrument,
  Notify,
  StoreObserver,
  StoreOperation,
  Unavailable,
} from './domain.js'
