// Replies to requests that never reach the app: violations of HTTP, timeouts, CONNECT.
import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Observer } from '../../../ports/observer.js'
import { corsFields } from '../cors.js'
import { badRequest, type HttpFailure, makeErrorReply } from '../failures.js'
import type { ServedRequest } from '../messages/joined.js'
import { EVERY_METHOD, headersOf, headerValues, requestIdOf, type TextReply, traceIdOf } from '../messages/message.js'
import { reportOf } from '../report.js'

export interface ReplySettings {
  readonly observer: Observer
  /** The public base address, with `/v1`, for the links in replies. */
  readonly publicUrl?: string | undefined
  /** Origins whose scripts may read the replies. */
  readonly corsOrigins: readonly string[]
  /** If set, replies link to the page of errors. */
  readonly documentation?: object | undefined
}

/** An error of Node's parser, with the bytes that it was parsing. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
  readonly bytesParsed?: number
}

const MALFORMED = badRequest('the request is not well-formed HTTP')

const NOT_IN_METHOD = /[^\w!#$%&'*+.^`|~-]/
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/
/** Longest request line to examine, in bytes. */
const MAX_LINE = 1_024

/** Whether a well-formed request line begins where the parser failed, whose method it does not know. */
const isUnknownMethod = ({ rawPacket, bytesParsed = 0 }: ParserError): boolean => {
  if (!Buffer.isBuffer(rawPacket)) return false
  const before = rawPacket.toString('latin1', Math.max(0, bytesParsed - MAX_LINE), bytesParsed)
  // earlier requests may precede it in the packet
  const start = bytesParsed - (before.split(NOT_IN_METHOD).at(-1)?.length ?? 0)
  const [, method] = REQUEST_LINE.exec(rawPacket.toString('latin1', start, start + MAX_LINE)) ?? []
  return method !== undefined && !METHODS.includes(method)
}

/** The failure behind an error of the parser; undefined if the request was not at fault. */
export const parserFailure = (error: ParserError): HttpFailure | undefined => {
  switch (error.code) {
    case 'HPE_INVALID_METHOD':
      return isUnknownMethod(error) ? { _tag: 'MethodNotAllowed', allow: EVERY_METHOD } : MALFORMED
    case 'HPE_HEADER_OVERFLOW':
      return { _tag: 'HeadersTooLarge' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    case 'HPE_INVALID_EOF_STATE':
      // the client has left in the middle of a request
      return undefined
    default:
      return error.code?.startsWith('HPE_') === true ? MALFORMED : undefined
  }
}

/** Refuses a request, which Node may not have parsed, and closes its connection. */
export interface Refuse {
  readonly exchange: (failure: HttpFailure, request: ServedRequest, response: ServerResponse) => void
  /** For a connection for which Node has made no response. Node no longer watches it. */
  readonly connection: (failure: HttpFailure, socket: Socket, request?: IncomingMessage) => void
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
    const id = requestIdOf(headers)
    const error = errorReply(failure, id)
    const header = (name: string) => (request === undefined ? [] : headerValues(request, name))
    const cors = corsFields(corsOrigins, { method, header })
    const reply: TextReply = { ...error, headers: [...error.headers, ...cors] }
    const bytes = method === 'HEAD' ? 0 : Buffer.byteLength(reply.body)
    const traceId = traceIdOf(headers)
    const rest = { bytes, milliseconds: undefined, keyId: undefined, clientAddress: undefined, traceId }
    observer.responded(reportOf({ id, method, path: url.split('?', 1)[0] ?? '' }, undefined, reply, undefined, rest))
    return { id, reply }
  }

  return {
    exchange: (failure, request, response) => {
      // the client would take a second response for the one to its next request
      if (response.headersSent) return
      response.setHeader('Connection', 'close')
      if (request.refuseBody !== undefined) {
        request.refuseBody(failure)
        return
      }
      const { id, reply } = replyTo(failure, request)
      response.writeHead(reply.status, headersOf(reply, id, Buffer.byteLength(reply.body)))
      response.end(reply.body)
    },
    connection: (failure, socket, request) => {
      const { id, reply } = replyTo(failure, request)
      // nothing more is read, so that only a client that takes the response keeps the socket
      socket.pause().end(textOf(reply, id), () => socket.destroy())
    },
  }
}
