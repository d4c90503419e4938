// Validates the head of a request that Node has parsed, and reads its target and framing.
import type { IncomingMessage } from 'node:http'
import { badRequest, type HttpFailure } from '../failures.js'
import { membersOf } from '../messages/field-values.js'
import { headerValues } from '../messages/message.js'

/** Further lines get 431. Node's own limit is above, because it silently drops extra lines, possibly Authorization. */
export const MAX_HEADER_LINES = 100

/** The longest host name (RFC 1035 §2.3.4) with a port. */
const MAX_HOST_LENGTH = 253 + ':65535'.length
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Whether a Host header is only a host and an optional port (RFC 9112 §3.2). */
const isHost = (host: string): boolean =>
  host.length <= MAX_HOST_LENGTH && HOST.test(host) && URL.canParse(`http://${host}`)

/** The base address with `/v1`, from the Host header or, without one (HTTP/1.0), from the socket. */
export const baseUrlOf = ({ headers, socket }: IncomingMessage): string => {
  const { localAddress = 'localhost', localPort } = socket
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  return `${scheme}://${headers.host ?? `${local}:${localPort}`}/v1`
}

/** The path and the query of a target in origin form (RFC 9112 §3.2.1), as sent. */
export const targetOf = (url: string): readonly [path: string, query: string] => {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** An absolute target (RFC 9112 §3.2.2): host, path and query, without credentials (RFC 9110 §4.2.4). */
const ABSOLUTE = /^https?:\/\/([^/?@\\]+)(\/[^?]*)?(\?.*)?$/i

/** Also converts an absolute target into the origin form; its host overrides the Host header. */
const targetFailure = (request: IncomingMessage): HttpFailure | undefined => {
  const { url = '', method } = request
  if (url.includes('#')) return badRequest('the request target has a fragment')
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined
  const [, host = '', path = '/', query = ''] = ABSOLUTE.exec(url) ?? []
  if (!isHost(host)) return badRequest('the request target is not acceptable')
  request.headers.host = host
  request.url = path + query
  return undefined
}

/**
 * Whether the connection must end after this request: what follows may be another protocol (RFC 9110 §7.8), may not be
 * the announced body (§10.1.1), or is a body that nobody reads (§9.3.1).
 */
export const isLast = ({ method, headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined ||
  headers.expect !== undefined ||
  (method !== 'POST' && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'))

/** RFC 9110 §10.1.1: `100-continue` is the only expectation, and may be repeated. */
export const isExpectationMet = ({ headers: { expect } }: IncomingMessage): boolean =>
  expect === undefined || membersOf([expect]).every((member) => member.toLowerCase() === '100-continue')

/** Framing that Node's parser accepts although it is ambiguous. */
const framingFailure = ({ httpVersion, headers }: IncomingMessage): HttpFailure | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('only HTTP/1.1 and HTTP/1.0 are supported')
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 has no transfer codings, and we decode only `chunked`
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'))
    return badRequest('the only Transfer-Encoding supported is chunked, in HTTP/1.1')
  return undefined
}

const hostFailure = (request: IncomingMessage, isGood: (host: string) => boolean): HttpFailure | undefined => {
  const lines = headerValues(request, 'host').length
  // RFC 9112 §3.2: exactly one in HTTP/1.1; HTTP/1.0 may have none
  if (lines > 1 || (lines === 0 && request.httpVersion !== '1.0'))
    return badRequest('exactly one Host header is required')
  const { host } = request.headers
  return host === undefined || isGood(host) ? undefined : badRequest('the Host header is not a host name')
}

/**
 * The failure of a head that Node's parser accepts. Remembers the last valid host, because nearly all requests have the
 * same one and parsing it takes 3 to 5 µs (measured).
 */
export const makeHeadFailure = (): ((request: IncomingMessage) => HttpFailure | undefined) => {
  let lastHost: string | undefined
  const isGood = (host: string): boolean => {
    if (host === lastHost) return true
    if (!isHost(host)) return false
    lastHost = host
    return true
  }
  return (request) =>
    request.rawHeaders.length > 2 * MAX_HEADER_LINES
      ? { _tag: 'HeadersTooLarge' }
      : (framingFailure(request) ?? hostFailure(request, isGood) ?? targetFailure(request))
}
