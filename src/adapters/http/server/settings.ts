// Settings of the server: of its refusals, its limits, and its stop.
import type { Observer } from '../../../ports/observer.js'

export interface ReplySettings {
  readonly observer: Observer
  /** The public base address, with `/v1`, for the links in replies. */
  readonly publicUrl?: string | undefined
  /** Origins whose scripts may read the replies. */
  readonly corsOrigins: readonly string[]
  /** If set, replies link to the page of errors. */
  readonly documentation?: object | undefined
}

export interface ServerSettings extends ReplySettings {
  /** Milliseconds for a whole request to arrive; its headers have half of that. */
  readonly requestTimeoutMs: number
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Further connections are closed at once; 10,000 by default. */
  readonly maxConnections?: number
  /** Milliseconds for which a client may leave a response unread; 30,000 by default. */
  readonly unreadTimeoutMs?: number
}

export interface StopSettings {
  /** Milliseconds for which connections are still accepted, so that load balancers notice that readiness is 503. */
  readonly drainMs: number
  /** Milliseconds that requests in flight may then take. */
  readonly shutdownMs: number
}
