// One attempt of a call: the request that it becomes, and the complete reply or the error in it, within a time limit.

import { parseExactJson } from '../domain/json/parse-json.js'
import { retryAfterMs } from '../domain/retry-after.js'
import { asError } from '../domain/thrown.js'
import {
  type ClientError,
  ERROR_CODES,
  type ErrorCode,
  type Fault,
  type Result,
  type UnexpectedReply,
} from './client-error.js'
import { isObject } from './pet.js'
import { ABORTED, inTime, LATE, type Platform } from './platform.js'

export const succeeded = <A>(value: A): Result<A> => ({ ok: true, value })
export const failed = (error: ClientError): Result<never> => ({ ok: false, error })

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

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON with exact integers; undefined if there is none. */
  readonly json: unknown
}

const isErrorCode = (code: string): code is ErrorCode => ERROR_CODES.some((known) => known === code)

interface ErrorBody {
  readonly code: string
  readonly message: string
}

const errorBodyOf = (json: unknown, status: number): ErrorBody | undefined => {
  if (!isObject(json) || json['status'] !== status) return undefined
  const { code, message } = json
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

/** The faults in the message of `validation_failed`, whose form the service promises. */
const faultsIn = (message: string): readonly Fault[] =>
  message.split('; ').flatMap((fault) => {
    const [, pointer, reason] = /^(\/[^:]*): (.+)$/.exec(fault) ?? []
    return pointer === undefined || reason === undefined ? [] : [{ pointer, reason }]
  })

type Replied = Pick<UnexpectedReply, 'status' | 'requestId' | 'retryAfterMs'>

const serviceError = ({ code, message }: ErrorBody, replied: Replied): ClientError => {
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
  const body = OK.has(status) ? undefined : errorBodyOf(json, status)
  if (body === undefined)
    return failed({ _tag: 'unexpected_reply', message: `status ${status} without the expected body`, ...replied })
  return failed(serviceError(body, replied))
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
