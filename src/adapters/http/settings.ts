// Settings of the HTTP adapter.
import type { Observer } from '../../ports/observer.js'
import type { RateLimitSettings } from './access/rate-limit.js'
import type { Documentation } from './route.js'

export interface AppSettings {
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** The public base address with `/v1`; undefined takes it from each request. */
  readonly publicUrl: string | undefined
  /** Origins whose scripts may call the service, such as `https://shop.example`. */
  readonly corsOrigins: readonly string[]
  /** Whether GET /pets/{petId} is on; otherwise it responds 410. */
  readonly getPetEnabled: boolean
  /** Undefined: no limit. */
  readonly rateLimit: RateLimitSettings | undefined
  /** Maximum number of requests in flight; further ones get 503 at once. */
  readonly maxInFlight: number
  /** Aborted when a stop begins. */
  readonly stopping: AbortSignal
  /** Maximum number of open event streams, at most half of them (rounded up) of one key; further ones get 503. */
  readonly maxStreams: number
  /** Reverse domain name that precedes `.pet.created.v1` in the types of events. */
  readonly eventsTypePrefix: string
  /** Number of trusted proxies in front, each of which appends its client's address to X-Forwarded-For. */
  readonly trustedProxies: number
  /** Serves /docs, /openapi.* and /asyncapi.*; undefined leaves them out. */
  readonly documentation: Documentation | undefined
  readonly observer: Observer
}
