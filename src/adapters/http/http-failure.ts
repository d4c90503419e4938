// The failures of HTTP, which the domain does not know, as tagged records.
import type { RateState } from './access/rate-limit.js'

export type HttpFailure =
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | { readonly _tag: 'MalformedJson'; readonly reason: string }
  | { readonly _tag: 'InvalidParameter'; readonly reason: string }
  | { readonly _tag: 'InvalidCursor' }
  | { readonly _tag: 'MissingApiKey' }
  | { readonly _tag: 'RouteNotFound' }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'OperationRemoved' }
  | { readonly _tag: 'PayloadTooLarge'; readonly maxBytes: number }
  | { readonly _tag: 'UnsupportedMediaType'; readonly reason: string }
  | { readonly _tag: 'ExpectationFailed' }
  | { readonly _tag: 'RateLimited'; readonly state: RateState }
  | { readonly _tag: 'HeadersTooLarge' }
  /** More requests are in flight than this process accepts. */
  | { readonly _tag: 'Overloaded' }
  /** The process has been asked to stop; only the readiness probe reports it. */
  | { readonly _tag: 'Stopping' }

/** An unexpected exception. */
export interface Defect {
  readonly _tag: 'Defect'
  readonly cause: unknown
}
