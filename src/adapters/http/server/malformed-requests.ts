// Requests that never reach the app: violations of HTTP that we or Node find, timeouts, CONNECT.
import { IncomingMessage, METHODS, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Observer } from '../../../ports/observer.js'
import { corsFields } from '../cors.js'
import { badRequest, type HttpFailure, makeErrorReply } from '../failures.js'
import { isHost, targetFailure } from '../messages/addresses.js'
import { framingFailure } from '../messages/framing.js'
import { EVERY_METHOD, headerValues } from '../messages/message.js'
import { requestIdOf, traceIdOf } from '../messages/request-headers.js'
import { writeReply } from '../messages/write-response.js'
import { reportOf } from '../report.js'
import type { ParserError } from './connection.js'
import type { Connections } from './connections.js'

/** Node's own limit silently drops extra lines, possibly Authorization. It is off, and this one refuses the request. */
const MAX_HEADER_LINES = 100

const MALFORMED = badRequest('the request is not well-formed HTTP')

const hostFailure = (request: IncomingMessage, isGoodHost: (host: string) => boolean): HttpFailure | undefined => {
  const lines = headerValues(request, 'host').length
  // RFC 9112 §3.2: exactly one in HTTP/1.1; HTTP/1.0 may have none
  if (lines > 1 || (lines === 0 && request.httpVersion !== '1.0'))
    return badRequest('exactly one Host header is required')
  const { host } = request.headers
  return host === undefined || isGoodHost(host) ? undefined : badRequest('the Host header is not a host name')
}

/** Checks requests. Remembers the last valid host, because nearly all requests have the same one and URL parsing is slow. */
export const makeProtocolFailure = (): ((request: IncomingMessage) => HttpFailure | undefined) => {
  let lastHost: string | undefined
  const isGoodHost = (host: string): boolean => {
    if (host === lastHost) return true
    const isGood = isHost(host)
    if (isGood) lastHost = host
    return isGood
  }
  return (request) =>
    request.rawHeaders.length > 2 * MAX_HEADER_LINES
      ? { _tag: 'HeadersTooLarge' }
      : (framingFailure(request) ?? hostFailure(request, isGoodHost) ?? targetFailure(request))
}

const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/
/** The longest request line that is looked at. */
const MAX_LINE = 1_024

/** Whether a packet begins with a request that is well-formed but for a method that Node's parser does not know. */
const isUnknownMethod = (packet: unknown): boolean => {
  if (!Buffer.isBuffer(packet)) return false
  const [, method] = REQUEST_LINE.exec(packet.toString('latin1', 0, MAX_LINE)) ?? []
  return method !== undefined && !METHODS.includes(method)
}

/** The failure behind an error of the parser or its timers; undefined: the socket has failed, which is no fault of the request. */
export const parserFailure = ({ code, rawPacket }: ParserError): HttpFailure | undefined => {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      // the start of the packet may belong to an earlier request, with a method that is known
      return isUnknownMethod(rawPacket) ? { _tag: 'MethodNotAllowed', allow: EVERY_METHOD } : MALFORMED
    case 'HPE_HEADER_OVERFLOW':
      return { _tag: 'HeadersTooLarge' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    default:
      return code?.startsWith('HPE_') === true ? MALFORMED : undefined
  }
}

export interface ReplySettings {
  readonly observer: Observer
  /** The public base address, with `/v1`, for the links in replies. */
  readonly publicUrl?: string | undefined
  /** Origins whose scripts may read the replies. */
  readonly corsOrigins: readonly string[]
}

/** Refuses a request, and closes its connection. */
export type Refuse = (failure: HttpFailure, request: IncomingMessage, response: ServerResponse) => void

export const makeRefuse = ({ observer, publicUrl, corsOrigins }: ReplySettings): Refuse => {
  const errorReply = makeErrorReply(publicUrl)

  return (failure, request, response) => {
    // Node's own event, for whoever reads the body
    if (!request.complete) request.emit('aborted')
    // the client would take a second response for that of its next request
    if (response.headersSent) return
    const { method = '', url = '', headers } = request
    const id = requestIdOf(headers['x-request-id']?.toString())
    const error = errorReply(failure, id)
    const cors = corsFields(corsOrigins, { method, header: (name) => headerValues(request, name) }, error.headers)
    const reply = { ...error, headers: [...error.headers, ...cors] }
    response.shouldKeepAlive = false
    const bytes = writeReply(request, response, reply, id)
    const traceId = traceIdOf(headers['traceparent']?.toString())
    const rest = { bytes, milliseconds: undefined, keyId: undefined, clientAddress: undefined, traceId }
    const path = url.split('?', 1)[0] ?? ''
    observer.responded(reportOf({ id, method, path }, undefined, reply, undefined, rest))
  }
}

/** Makes the server respond with the Error shape where Node would respond by itself. */
export const refuseMalformed = (server: Server, connections: Connections, refuse: Refuse): void => {
  /** Sends the last response of a connection for which Node has made none. */
  const respondLast = (socket: Socket, failure: HttpFailure, request = new IncomingMessage(socket)): void => {
    // the previous response was the last one, or the client is gone
    if (!socket.writable) return
    const response = new ServerResponse(request)
    response.once('finish', () => socket.destroySoon())
    response.assignSocket(socket)
    refuse(failure, request, response)
  }

  server.on('clientError', (error: ParserError, socket: Socket) => {
    const failure = parserFailure(error)
    if (failure === undefined) {
      socket.destroy()
      return
    }
    connections.endWith(socket, (partial) => {
      if (partial === undefined) respondLast(socket, failure)
      else refuse(failure, partial.request, partial.response)
    })
  })

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node no longer handles errors of this socket
    socket.on('error', () => socket.destroy())
    const failure: HttpFailure = { _tag: 'MethodNotAllowed', allow: EVERY_METHOD }
    connections.endWith(socket, () => respondLast(socket, failure, request))
  })
}
