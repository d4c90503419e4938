// Responses to requests that never reach the app: malformed HTTP, timeouts, CONNECT.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { answeredOf } from '../answered.js'
import { makeErrorReply } from '../error-reply.js'
import type { HttpFailure } from '../http-failure.js'
import { headersOf } from '../messages/headers.js'
import { EVERY_METHOD } from '../messages/methods.js'
import type { Reply } from '../messages/reply.js'
import { requestIdOf } from '../messages/request-id.js'
import { traceIdOf } from '../messages/trace-context.js'
import { writeReply } from '../messages/write-reply.js'
import type { Observer } from '../observer.js'
import type { Connections, Exchange } from './connections.js'
import { lingeringClose } from './lingering-close.js'
import { type ParserError, parserFailure } from './protocol-failure.js'

export interface RefusalSettings {
  readonly observer: Observer
  /** The public base address, with `/v1`, for the links of refusals. */
  readonly publicUrl?: string | undefined
}

type RequestLike = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** The known facts about a request that the parser could not read. */
const UNREAD: RequestLike = { headers: {} }

const observe = (
  observer: Observer,
  { method = '', url = '', headers }: RequestLike,
  id: string,
  reply: Reply,
  bytes: number,
): void => {
  const request = { id, method, path: url.split('?', 1)[0] ?? '' }
  const traceId = traceIdOf(headers['traceparent']?.toString())
  const sent = { bytes, milliseconds: undefined, clientAddress: undefined, traceId }
  observer.answered(answeredOf(request, undefined, { reply, keyId: undefined }, sent))
}

const afterAll = (exchanges: readonly Exchange[], then: () => void): void => {
  let open = exchanges.length
  if (open === 0) then()
  for (const { response } of exchanges) {
    response.once('close', () => {
      open -= 1
      if (open === 0) then()
    })
  }
}

export interface Refusals {
  /** Refuses a request that Node could parse, and closes its connection. */
  readonly refuse: (failure: HttpFailure, request: IncomingMessage, response: ServerResponse) => void
  /** Makes the server respond with the Error shape where Node would respond by itself. */
  readonly listen: (server: Server, connections: Connections) => void
}

export const makeRefusals = ({ observer, publicUrl }: RefusalSettings): Refusals => {
  const errorReply = makeErrorReply(publicUrl)

  const refuse: Refusals['refuse'] = (failure, request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']?.toString())
    const reply = errorReply(failure, requestId)
    response.shouldKeepAlive = false
    const bytes = writeReply(request, response, reply, requestId)
    observe(observer, request, requestId, reply, bytes)
  }

  /** Sends the last response on a socket without a response object. */
  const answer = (socket: Duplex, failure: HttpFailure, request: RequestLike): void => {
    // the previous response was the last one, or the client is gone
    if (!socket.writable) return
    const requestId = requestIdOf(request.headers['x-request-id']?.toString())
    const reply = errorReply(failure, requestId)
    const body = String(reply.body)
    const bytes = Buffer.byteLength(body)
    const headers = [...headersOf(reply, requestId, bytes), 'Date', new Date().toUTCString(), 'Connection', 'close']
    const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n`
    lingeringClose(socket, head + body)
    observe(observer, request, requestId, reply, bytes)
  }

  const listen: Refusals['listen'] = (server, connections) => {
    // Node reports some errors of one socket twice
    const refused = new WeakSet<Duplex>()

    server.on('clientError', (error: ParserError, socket: Duplex) => {
      if (refused.has(socket)) return
      refused.add(socket)
      if (error.code === 'ECONNRESET') {
        socket.destroy()
        return
      }
      const failure = parserFailure(error)
      const partial = connections.partialOn(socket)
      if (partial === undefined) {
        afterAll(connections.openOn(socket), () => answer(socket, failure, UNREAD))
      } else if (partial.response.headersSent) {
        // the client would take a second response for that of the next request
        afterAll(connections.openOn(socket), () => lingeringClose(socket))
      } else {
        refuse(failure, partial.request, partial.response)
      }
    })

    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      // Node no longer handles errors of this socket
      socket.on('error', () => socket.destroy())
      const failure: HttpFailure = { _tag: 'MethodNotAllowed', allow: EVERY_METHOD }
      afterAll(connections.openOn(socket), () => answer(socket, failure, request))
    })
  }

  return { refuse, listen }
}
