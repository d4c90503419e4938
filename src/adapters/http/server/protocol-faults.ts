// What is wrong with a request as HTTP, before any route is looked for.
import type { IncomingMessage } from 'node:http'
import { HOST } from '../messages/base-url.js'
import type { HttpFailure } from '../http-failure.js'

/** Node's own limit drops the surplus silently, an Authorization among them: so it is off, and ours refuses. */
const MAX_HEADER_LINES = 100

const badRequest = (reason: string): HttpFailure => ({ _tag: 'BadRequest', reason })

const hostLines = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length

/** The last good Host header: nearly every request has the same, and the URL parser takes longer than all else here. */
let knownHost: string | undefined

const isHost = (host: string): boolean => {
  if (host === knownHost) return true
  const isGood = HOST.test(host) && URL.canParse(`http://${host}`)
  if (isGood) knownHost = host
  return isGood
}

const hostFault = (request: IncomingMessage): HttpFailure | undefined => {
  const lines = hostLines(request)
  // RFC 9112 §3.2: exactly one in HTTP/1.1; HTTP/1.0 may come without
  if (lines > 1 || (lines === 0 && request.httpVersion !== '1.0'))
    return badRequest('exactly one Host header is needed')
  const { host } = request.headers
  return host === undefined || isHost(host) ? undefined : badRequest('the Host header names no host')
}

/** What the parser lets pass although its reading of the message would not be ours. */
const framingFault = ({ httpVersion, headers }: IncomingMessage): HttpFailure | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('only HTTP/1.1 and HTTP/1.0 are understood')
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 knows none, and of the others only this one is decoded here
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'))
    return badRequest('the only Transfer-Encoding is chunked, in HTTP/1.1')
  return undefined
}

const expectationFault = ({ httpVersion, headers: { expect } }: IncomingMessage): HttpFailure | undefined =>
  // RFC 9110 §10.1.1: in HTTP/1.0 an expectation is ignored
  expect === undefined || httpVersion === '1.0' || expect.toLowerCase() === '100-continue'
    ? undefined
    : { _tag: 'ExpectationFailed' }

/** Brings an absolute target (RFC 9112 §3.2.2) into the form of the others; its host goes before that of the header. */
const targetFault = (request: IncomingMessage): HttpFailure | undefined => {
  const { url = '', method } = request
  if (url.includes('#')) return badRequest('the request target has a fragment')
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return badRequest('the request target is not acceptable')
  const { host, pathname, search } = new URL(url)
  request.headers.host = host
  request.url = pathname + search
  return undefined
}

export const protocolFault = (request: IncomingMessage): HttpFailure | undefined =>
  request.rawHeaders.length > 2 * MAX_HEADER_LINES
    ? { _tag: 'HeadersTooLarge' }
    : (framingFault(request) ?? hostFault(request) ?? targetFault(request) ?? expectationFault(request))

/** What Node's parser or clock objects to, by the code of its error. */
export const parserFault = (code: string | undefined): HttpFailure => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { _tag: 'HeadersTooLarge' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    default:
      return badRequest('the request is not well-formed HTTP')
  }
}
