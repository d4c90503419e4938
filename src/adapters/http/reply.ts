// An answer as a plain value.
import type { HttpRequest } from './request.js'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Without it the answer has no body. */
  readonly body?: string | Uint8Array
  /** Whose key it was, for the log. */
  readonly keyId?: string
  /** What went wrong inside, for the log alone. */
  readonly cause?: unknown
}

/** What answers a request, without knowing of Koa. */
export type Endpoint = (request: HttpRequest) => Promise<Reply>

/** An answer with a JSON text. */
export const jsonReply = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})
