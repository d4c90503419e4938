// A call of the service, and the request that it becomes.
import { failed, type Result, succeeded } from './result.js'

export type Call =
  | {
      readonly method: 'GET'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
    }
  | {
      readonly method: 'POST'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      /** Undefined: the request is never retried. */
      readonly idempotencyKey: string | undefined
    }

/** Whether the request is idempotent. */
export const isRepeatable = (call: Call): boolean => call.method === 'GET' || call.idempotencyKey !== undefined

const build = (call: Call, apiKey: string, signal: AbortSignal): Request => {
  const headers = new Headers(call.headers)
  if (!headers.has('Accept')) headers.set('Accept', 'application/json')
  headers.set('Authorization', `Bearer ${apiKey}`)
  // no cookies, and the key is sent only to the base address
  const common = { method: call.method, headers, signal, credentials: 'omit', redirect: 'manual' } as const
  if (call.method === 'GET') return new Request(call.url, common)
  headers.set('Content-Type', 'application/json')
  if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey)
  return new Request(call.url, { ...common, body: call.body })
}

/** A new request for each attempt, because a body can be read only once. */
export const requestOf = (call: Call, apiKey: string, signal: AbortSignal): Result<Request> => {
  try {
    return succeeded(build(call, apiKey, signal))
  } catch {
    // the runtime's message would quote the API key
    const message = 'HTTP cannot express the request: check the base address, the API key and the idempotency key'
    return failed({ _tag: 'invalid_request', message })
  }
}
