// The failures of HTTP, which the domain does not know, as tagged records.
import type { Scope } from '../../domain/api-keys/api-key.js'
import type { Failure } from '../../domain/errors.js'
import type { MalformedJson } from '../../domain/json/parse-json.js'
import type { RateState } from './access/rate-limit.js'

export type HttpFailure =
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | MalformedJson
  | { readonly _tag: 'InvalidParameter'; readonly reason: string }
  | { readonly _tag: 'InvalidCursor' }
  | { readonly _tag: 'MissingApiKey' }
  /** The key is valid, but lacks the scope of the route. */
  | { readonly _tag: 'InsufficientScope'; readonly required: Scope }
  | { readonly _tag: 'RouteNotFound' }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'OperationRemoved' }
  /** If-Match names other representations than the one there is. */
  | { readonly _tag: 'PreconditionFailed' }
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

/** Every failure of an endpoint. */
export type AnyFailure = Failure | HttpFailure | Defect
