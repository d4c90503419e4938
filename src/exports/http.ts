// The entry point `animal-store/http`: the HTTP service over any ports; the caller makes it listen.

export type { RateLimitSettings } from '../adapters/http/access/rate-limit.js'
export * from '../adapters/http/server/make-server.js'
export type { AppSettings } from '../adapters/http/settings.js'
export type { ServicePorts } from '../composition/make-fetch-handler.js'
export { DEFAULT_SETTINGS, makeService } from '../composition/make-service.js'
export type { Observer, RequestReport } from '../ports/observer.js'
