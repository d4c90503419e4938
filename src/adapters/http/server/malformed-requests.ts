// Responses to requests that never reach the app: malformed HTTP, timeouts, CONNECT.
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { corsFields } from '../cors.js'
import { type HttpFailure, makeErrorReply } from '../failures.js'
import { headerValues } from '../messages/message.js'
import { EVERY_METHOD } from '../messages/methods.js'
import { requestIdOf, traceIdOf } from '../messages/request-headers.js'
import { writeReply } from '../messages/write-response.js'
import { type Observer, reportOf } from '../report.js'
import type { Connections } from './connections.js'
import { type ParserError, parserFailure } from './protocol-failure.js'

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
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    connections.endWith(socket, (partial) => {
      const failure = parserFailure(error)
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
