// A reply of the service, or the error in it.
import { parseExactJson } from '../domain/json/parse-json.js'
import { type ClientError, ERROR_CODES, type ErrorCode, type Fault, type UnexpectedReply } from './client-error.js'
import { isObject } from './pet.js'
import { failed, type Result, succeeded } from './result.js'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON with exact integers; undefined if there is none, as in a 304. */
  readonly json: unknown
}

const isErrorCode = (code: string): code is ErrorCode => ERROR_CODES.some((known) => known === code)

/** Seconds or a date (RFC 9110 §10.2.3); anything else counts as absent. */
const retryAfterMs = (headers: Headers, now: number): number | undefined => {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  // every form of a date begins with a weekday; Date.parse would also find a date in -1 or 1.5
  const date = /^[a-z]+,? /i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

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

const OK: ReadonlySet<number> = new Set([200, 201, 304])

/** `now` is needed if `Retry-After` is a date. */
export const readReply = ({ status, headers }: Response, text: string, now: number): Result<Reply> => {
  const parsed = text === '' ? undefined : parseExactJson(text)
  const json = parsed?._tag === 'Right' ? parsed.right : undefined
  if (OK.has(status) && parsed?._tag !== 'Left') return succeeded({ status, headers, json })
  const replied = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: retryAfterMs(headers, now),
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
