// Replies to requests that never reach the app: violations of HTTP, timeouts, CONNECT.
import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Writable } from 'node:stream'
import type { Observer } from '../../../ports/observer.js'
import { corsFields } from '../cors.js'
import { badRequest, type HttpFailure, makeErrorReply } from '../failures.js'
import { REFUSED } from '../messages/head.js'
import { EVERY_METHOD, headersOf, headerValues, type TextReply } from '../messages/message.js'
import { requestIdOf, traceIdOf } from '../messages/request-headers.js'
import { reportOf } from '../report.js'

/** An error of Node's parser, with the bytes that it was parsing. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
}

const MALFORMED = badRequest('the request is not well-formed HTTP')

const REQUEST_LINE = /^(?:\r?\n)*([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/
/** Longest request line to examine, in bytes. */
const MAX_LINE = 1_024

/** Whether a packet begins with a well-formed request line whose method Node's parser does not know. */
const isUnknownMethod = (packet: unknown): boolean => {
  if (!Buffer.isBuffer(packet)) return false
  const [, method] = REQUEST_LINE.exec(packet.toString('latin1', 0, MAX_LINE)) ?? []
  return method !== undefined && !METHODS.includes(method)
}

/** The failure behind an error of the parser; undefined if the request was not at fault. */
export const parserFailure = ({ code, rawPacket }: ParserError): HttpFailure | undefined => {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      // the packet may begin with an earlier request, whose method is known
      return isUnknownMethod(rawPacket) ? { _tag: 'MethodNotAllowed', allow: EVERY_METHOD } : MALFORMED
    case 'HPE_HEADER_OVERFLOW':
      return { _tag: 'HeadersTooLarge' }
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
  /** If set, replies link to the page of errors. */
  readonly documentation?: object | undefined
}

/** Refuses a request, which Node may not have parsed, and closes its connection. */
export interface Refuse {
  readonly exchange: (failure: HttpFailure, request: IncomingMessage, response: ServerResponse) => void
  /** For a connection for which Node has made no response. */
  readonly connection: (failure: HttpFailure, wire: Writable, request?: IncomingMessage) => void
}

const textOf = (reply: TextReply, requestId: string): string => {
  const lines = headersOf(reply, requestId, Buffer.byteLength(reply.body))
  const fields = lines.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
  const start = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`
  return `${start}${fields}Date: ${new Date().toUTCString()}\r\nConnection: close\r\n\r\n${reply.body}`
}

export const makeRefuse = ({ observer, publicUrl, corsOrigins, documentation }: ReplySettings): Refuse => {
  const errorReply = makeErrorReply(publicUrl, documentation !== undefined)

  /** Makes and reports the reply. `request`: undefined if Node could not parse it. */
  const replyTo = (failure: HttpFailure, request: IncomingMessage | undefined) => {
    const { method = '', url = '', headers = {} } = request ?? {}
    const id = requestIdOf(headers['x-request-id']?.toString())
    const error = errorReply(failure, id)
    const header = (name: string) => (request === undefined ? [] : headerValues(request, name))
    const cors = corsFields(corsOrigins, { method, header })
    const reply: TextReply = { ...error, headers: [...error.headers, ...cors] }
    const bytes = method === 'HEAD' ? 0 : Buffer.byteLength(reply.body)
    const traceId = traceIdOf(headers['traceparent']?.toString())
    const rest = { bytes, milliseconds: undefined, keyId: undefined, clientAddress: undefined, traceId }
    observer.responded(reportOf({ id, method, path: url.split('?', 1)[0] ?? '' }, undefined, reply, undefined, rest))
    return { id, reply }
  }

  return {
    exchange: (failure, request, response) => {
      // the client would take a second response for the one to its next request
      if (response.headersSent) return
      // the reader of the body responds, because it knows the route and the caller
      if (request.emit(REFUSED, failure)) return
      if (!request.complete) request.emit('aborted')
      const { id, reply } = replyTo(failure, request)
      response.setHeader('Connection', 'close')
      response.writeHead(reply.status, headersOf(reply, id, Buffer.byteLength(reply.body)))
      response.end(reply.body)
    },
    connection: (failure, wire, request) => {
      const { id, reply } = replyTo(failure, request)
      wire.end(textOf(reply, id))
    },
  }
}
