// One attempt of a call: the request that it becomes, and the complete reply or the error in it, within a time limit.

import { parseExactJson } from '../domain/json/parse-json.js'
import { retryAfterMs } from '../domain/retry-after.js'
import { asError } from '../domain/thrown.js'
import { type ClientError, ERROR_CODES, type ErrorCode, type Fault, type Replied, type Result } from './client-error.js'
import { isObject } from './pet.js'
import { ABORTED, inTime, LATE, type Platform } from './platform.js'

export const succeeded = <A>(value: A): Result<A> => ({ ok: true, value })
export const failed = (error: ClientError): Result<never> => ({ ok: false, error })

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** A POST without one is never retried. */
  readonly idempotencyKey?: string | undefined
}

export const isRepeatable = (call: Call): boolean => call.method === 'GET' || call.idempotencyKey !== undefined

const build = ({ method, url, headers, body, idempotencyKey }: Call, apiKey: string, signal: AbortSignal): Request => {
  const all = new Headers({ Accept: 'application/json', ...headers, Authorization: `Bearer ${apiKey}` })
  if (body !== undefined) all.set('Content-Type', 'application/json')
  if (idempotencyKey !== undefined) all.set('Idempotency-Key', idempotencyKey)
  // no cookies, and the key is sent only to the base address
  return new Request(url, { method, headers: all, body: body ?? null, signal, credentials: 'omit', redirect: 'manual' })
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

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON with exact integers; undefined if there is none. */
  readonly json: unknown
}

const isErrorCode = (code: string): code is ErrorCode => ERROR_CODES.some((known) => known === code)

/** The faults in the message of `validation_failed`, whose form the service promises. */
const faultsIn = (message: string): readonly Fault[] =>
  message.split('; ').flatMap((fault) => {
    const [, pointer, reason] = /^(\/[^:]*): (.+)$/.exec(fault) ?? []
    return pointer === undefined || reason === undefined ? [] : [{ pointer, reason }]
  })

/** Undefined if the body is not in the Error shape. */
const serviceError = (json: unknown, replied: Replied): ClientError | undefined => {
  if (!isObject(json) || json['status'] !== replied.status) return undefined
  const { code, message } = json
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  if (!isErrorCode(code)) return { _tag: 'unknown_code', code, message, ...replied }
  if (code === 'validation_failed') return { _tag: code, message, faults: faultsIn(message), ...replied }
  return { _tag: code, message, ...replied }
}

const OK: ReadonlySet<number> = new Set([200, 201])

/** `now` is needed if `Retry-After` is a date. */
export const readReply = ({ status, headers }: Response, text: string, now: number): Result<Reply> => {
  const parsed = text === '' ? undefined : parseExactJson(text)
  const json = parsed?._tag === 'Right' ? parsed.right : undefined
  if (OK.has(status) && parsed?._tag !== 'Left') return succeeded({ status, headers, json })
  const replied = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('Retry-After') ?? undefined, now),
  }
  const error = OK.has(status) ? undefined : serviceError(json, replied)
  const message = `status ${status} without the expected body`
  return failed(error ?? { _tag: 'unexpected_reply', message, ...replied })
}

/** The error of a well-formed reply without the expected content. */
export const unexpectedReply = ({ status, headers }: Reply, wanted: string): ClientError => ({
  _tag: 'unexpected_reply',
  message: `status ${status} without ${wanted}`,
  status,
  requestId: headers.get('X-Request-Id') ?? undefined,
  retryAfterMs: undefined,
})

export interface AttemptSettings {
  readonly apiKey: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export const aborted = (signal: AbortSignal | undefined): ClientError => ({
  _tag: 'aborted',
  message: 'the caller aborted the call',
  cause: signal?.reason,
})

/** Resolves to the reply, or to the reason why there is none. Never rejects, and ends in time. */
export const attempt = async (
  platform: Pick<Platform, 'fetch' | 'now' | 'schedule'>,
  call: Call,
  { apiKey, timeoutMs, signal }: AttemptSettings,
): Promise<Result<Reply>> => {
  const controller = new AbortController()
  const exchange = async (): Promise<Result<Reply>> => {
    const request = requestOf(call, apiKey, controller.signal)
    if (!request.ok) return request
    const response = await platform.fetch(request.value)
    return readReply(response, await response.text(), platform.now())
  }
  try {
    return await inTime(platform.schedule, timeoutMs, signal, exchange)
  } catch (cause) {
    controller.abort()
    if (cause === ABORTED) return failed(aborted(signal))
    return cause === LATE
      ? failed({ _tag: 'timeout', message: `no reply within ${Math.round(timeoutMs)} ms`, timeoutMs })
      : failed({ _tag: 'network', message: asError(cause).message, cause })
  }
}
