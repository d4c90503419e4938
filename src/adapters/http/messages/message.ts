// Requests and replies as plain values, their ids and header fields, and the methods served.
import { mayHoldSecret } from '../../../domain/api-keys/api-key-text.js'
import type { RequestReport } from '../../../ports/observer.js'

export interface HttpRequest {
  readonly method: string
  /** The path as sent, or `*`. */
  readonly path: string
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The text after `?`, unparsed, because it is parsed only after authentication. */
  readonly query: string
  /** The value of each line of a header, in the order sent. Pass the name in lower case. */
  readonly header: (name: string) => readonly string[]
  /** The public base address, with `/v1`. */
  readonly baseUrl: string
  /** For rate limits: as reported by a trusted proxy, else the address of the peer; empty if unknown. */
  readonly clientAddress: string
  readonly id: string
}

/** Repeated headers are joined. */
export type JoinedHeaders = Readonly<Record<string, string | string[] | undefined>>

const SAFE_ID = /^[\w.:+/=@~-]{1,128}$/

/**
 * The client's request id if it is safe in headers and logs, otherwise a new one. An API key or secret sent here by
 * mistake must reach neither.
 */
export const requestIdOf = (headers: JoinedHeaders): string => {
  const sent = headers['x-request-id']?.toString()
  return sent !== undefined && SAFE_ID.test(sent) && !mayHoldSecret(sent) ? sent : crypto.randomUUID()
}

// W3C Trace Context §3.2: version, trace id, parent id, flags. All-zero ids are invalid; version 00 has a fixed length
const VERSION_00_LENGTH = 55
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/** A valid `traceparent` as version 00, to pass on, without what later versions append (§2.2.3). */
export const traceParentOf = (traceparent: string): string | undefined =>
  TRACEPARENT.test(traceparent) ? `00${traceparent.slice(2, VERSION_00_LENGTH)}` : undefined

/** The trace id of a valid `traceparent`. */
export const traceIdOf = ({ traceparent }: JoinedHeaders): string | undefined =>
  traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent.toString())?.[1]

/** In the order sent. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

export interface Reply {
  readonly status: number
  readonly headers: HeaderFields
  /** Absent: no body. A stream makes each part on demand, and its `return` ends it, even before the first part. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** Events sent so far on a stream, for the log. */
  readonly events?: (() => number) | undefined
  /** The code of a body in the Error shape, for the log. */
  readonly code?: string | undefined
  /** For the metrics. */
  readonly detail?: RequestReport['detail']
}

export interface TextReply extends Reply {
  readonly body: string
}

export const isStream = (body: Reply['body']): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body

export const jsonReply = (status: number, body: string, headers: HeaderFields = []): TextReply => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body,
})

/** The value of each line of a request header, in the order sent. Node itself joins or drops repeated lines. */
export const headerValues = (
  { rawHeaders }: { readonly rawHeaders: readonly string[] },
  name: string,
): readonly string[] => {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? ''
    if (field.length === name.length && field.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

export const fieldOf = (fields: HeaderFields, name: string): string | undefined => {
  for (const [one, value] of fields) if (one === name) return value
  return undefined
}

const LISTS: readonly string[] = ['Link', 'Vary']

/** Merges fields, with lists on one line (RFC 9110 §5.3), because some clients read only the first line of a field. */
export const withFields = (fields: HeaderFields, more: HeaderFields): HeaderFields => {
  const doubled = LISTS.filter((name) => fieldOf(fields, name) !== undefined && fieldOf(more, name) !== undefined)
  if (doubled.length === 0) return [...fields, ...more]
  const both = [...fields, ...more]
  const values = (list: string): string => both.flatMap(([name, value]) => (name === list ? [value] : [])).join(', ')
  return [...both.filter(([name]) => !doubled.includes(name)), ...doubled.map((name) => [name, values(name)] as const)]
}

/** The headers of every response, including those made outside the app (openapi.yaml: Responses). */
const CONSTANT: HeaderFields = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

/** Alternating names and values of all response headers. The reply's headers override the constant ones. */
export const headersOf = ({ headers, body }: Reply, requestId: string, bodyBytes: number): string[] => {
  const lines: string[] = []
  for (const [name, value] of CONSTANT) if (fieldOf(headers, name) === undefined) lines.push(name, value)
  for (const [name, value] of headers) lines.push(name, value)
  lines.push('X-Request-Id', requestId)
  if (body !== undefined && !isStream(body)) lines.push('Content-Length', String(bodyBytes))
  return lines
}

/** The methods that routes declare. */
const METHODS = ['GET', 'POST'] as const
export type Method = (typeof METHODS)[number]

export const servedBy = (method: Method): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

export const allowOf = (methods: readonly Method[]): string => [...methods.flatMap(servedBy), 'OPTIONS'].join(', ')

/** `Allow` for the methods that any route supports. */
export const EVERY_METHOD = allowOf(METHODS)
