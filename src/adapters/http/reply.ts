// An answer as a plain value.
import type { HttpRequest } from './request.js'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Without it the answer has no body. */
  readonly body?: string | Uint8Array
}

/** What answers a request, without knowing of Koa. */
export type Endpoint = (request: HttpRequest) => Promise<Reply>
