// `animal-store/fetch`, to serve from Bun, Deno, a worker or a framework: the HTTP service as a function from Request
// to Response. Needs path-to-regexp.
export type { RateLimitSettings } from '../adapters/http/access/rate-limit.js'
export type { FetchHandler, HandlerSettings } from '../adapters/http/fetch/app.js'
export type { Documentation, PublicEndpoint } from '../adapters/http/route.js'
export { makeFetchHandler } from '../composition/make-fetch-handler.js'
export { DEFAULT_HANDLER, type ServicePorts } from '../composition/use-cases.js'
export type { Observer, RequestReport, StreamChange } from '../ports/observer.js'
export type { Notify } from './domain.js'
