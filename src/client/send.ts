// Sends a call and reads the reply; retries until it succeeds, must not be retried, or runs out of time.
import { parseJson } from '../domain/json/parse-json.js'
import { retryAfterMs } from '../domain/retry-after.js'
import { asError } from '../domain/thrown.js'
import { type ClientError, ERROR_CODES, type Fault, type Replied, type Result } from './client-error.js'
import { isObject } from './pet.js'
import { inTime, LATE, pause, type Runtime } from './platform.js'

export const succeeded = <A>(value: A): Result<A> => ({ ok: true, value })
export const failed = (error: ClientError): Result<never> => ({ ok: false, error })

export interface RetrySettings {
  /** Milliseconds for one attempt. */
  readonly attemptTimeoutMs: number
  /** Milliseconds for a call, with all its attempts and waits. */
  readonly timeoutMs: number
  readonly maxAttempts: number
  /** Upper bound of the random wait after a failure; doubles with each further failure, up to `maxMs`. */
  readonly backOff: { readonly initialMs: number; readonly maxMs: number }
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Overrides that of the client. */
  readonly timeoutMs?: number | undefined
}

export interface Caller extends RetrySettings, Runtime {
  readonly base: string
  readonly apiKey: string
  /** Keeps each request as long as its signal: Node never aborts a request that was garbage-collected. */
  readonly requests: WeakMap<AbortSignal, Request>
}

/** A POST if there is a body, else a GET. */
export interface Call {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string
  /** A POST without this is never retried. */
  readonly idempotencyKey?: string | undefined
}

/** Replaces the runtime's error, whose message would quote the API key. */
const INVALID = new Error(
  'HTTP cannot express the request: check the base address, the API key and the idempotency key',
)

/** A new request for each attempt, because a body can be read only once. Hold the signal until the attempt has ended. */
export const requestOf = (
  call: Call,
  { apiKey, requests }: Pick<Caller, 'apiKey' | 'requests'>,
  signal: AbortSignal,
): Request => {
  const { url, body, idempotencyKey } = call
  try {
    const headers = new Headers({ Accept: 'application/json', ...call.headers, Authorization: `Bearer ${apiKey}` })
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body }
    // no cookies, and no redirects, so that the key goes only to the base address
    const request = new Request(url, { ...sent, headers, signal, credentials: 'omit', redirect: 'manual' })
    requests.set(signal, request)
    return request
  } catch {
    throw INVALID
  }
}

export interface Reply extends Replied {
  readonly headers: Headers
  /** The body as JSON with exact integers. */
  readonly json: unknown
}

/** The faults in the message of `validation_failed`, whose format is part of the contract. */
const faultsIn = (message: string): readonly Fault[] =>
  message.split('; ').flatMap((fault) => {
    const [, pointer, reason] = /^(\/[^:]*): (.+)$/.exec(fault) ?? []
    return pointer === undefined || reason === undefined ? [] : [{ pointer, reason }]
  })

export const unexpectedReply = ({ status, requestId, retryAfterMs }: Replied, wanted: string): ClientError => {
  const message = `status ${status} without ${wanted}`
  return { _tag: 'unexpected_reply', message, status, requestId, retryAfterMs }
}

const errorOf = (json: unknown, replied: Replied): ClientError => {
  const { code, message, status } = isObject(json) ? json : {}
  if (typeof code !== 'string' || typeof message !== 'string' || status !== replied.status) {
    return unexpectedReply(replied, 'the expected body')
  }
  const _tag = ERROR_CODES.find((known) => known === code)
  if (_tag === undefined) return { _tag: 'unknown_code', code, message, ...replied }
  if (_tag === 'validation_failed') return { _tag, message, faults: faultsIn(message), ...replied }
  return { _tag, message, ...replied }
}

/** When the reply was sent, by the clock of its sender if known: ours may be wrong, and `Platform.now` stops in sleep. */
const sentAt = (headers: Headers): number => {
  const date = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}

export const readReply = ({ status, headers }: Response, text: string): Result<Reply> => {
  const replied = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('Retry-After') ?? undefined, sentAt(headers)),
  }
  const parsed = parseJson(text)
  const json = parsed._tag === 'Right' ? parsed.right : undefined
  if (status !== 200 && status !== 201) return failed(errorOf(json, replied))
  return json === undefined
    ? failed(unexpectedReply(replied, 'the expected body'))
    : succeeded({ ...replied, headers, json })
}

export const failureOf = (cause: unknown, timeoutMs: number, signal: AbortSignal | undefined): ClientError => {
  if (signal?.aborted === true) return { _tag: 'aborted', message: 'the caller aborted the call', cause: signal.reason }
  if (cause === INVALID) return { _tag: 'invalid_request', message: INVALID.message }
  return cause === LATE
    ? { _tag: 'timeout', message: `no reply within ${Math.round(timeoutMs)} ms`, timeoutMs }
    : { _tag: 'network', message: asError(cause).message, cause }
}

/** Statuses that are retried while time is left (docs/errors.md); 502 and 504 come from proxies. */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

export const retriesAfter = (error: ClientError): number => {
  if ('status' in error && !RETRIED.has(error.status)) return error.status === 500 ? 1 : 0
  return error._tag === 'aborted' || error._tag === 'invalid_request' ? 0 : Number.POSITIVE_INFINITY
}

/** Full jitter, so that clients that failed together return at different times. `Retry-After` is the minimum. */
export const waitAfter = (error: ClientError, failures: number, { backOff, platform }: Caller): number => {
  const minimumMs = 'retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0
  return minimumMs + platform.random() * Math.min(backOff.maxMs, backOff.initialMs * 2 ** (failures - 1))
}

/** The result of the last attempt. All attempts send the same request. A call that is not idempotent has only one. */
export const send = async (
  caller: Caller,
  call: Call,
  { timeoutMs = caller.timeoutMs, signal }: CallOptions,
): Promise<Result<Reply>> => {
  const { platform, attemptTimeoutMs, maxAttempts } = caller
  /** Never rejects, and ends in time. */
  const attempt = async (limitMs: number): Promise<Result<Reply>> => {
    const controller = new AbortController()
    const exchange = async (): Promise<Result<Reply>> => {
      const response = await platform.fetch(requestOf(call, caller, controller.signal))
      return readReply(response, await response.text())
    }
    return inTime(caller, limitMs, signal, exchange).catch((cause: unknown) => {
      controller.abort()
      return failed(failureOf(cause, limitMs, signal))
    })
  }

  const deadline = platform.now() + timeoutMs
  let limitedRetries = 0
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(Math.min(attemptTimeoutMs, deadline - platform.now()))
    if (result.ok || (call.body !== undefined && call.idempotencyKey === undefined)) return result
    const retries = retriesAfter(result.error)
    if (retries < Number.POSITIVE_INFINITY) limitedRetries += 1
    if (limitedRetries > retries || attempts >= maxAttempts) return result
    const wait = waitAfter(result.error, attempts, caller)
    // returns the failure at once if the next attempt would be too late
    if (platform.now() + wait >= deadline) return result
    await pause(caller, wait, signal)
    if (platform.now() >= deadline) return result
  }
}
