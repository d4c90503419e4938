// Answers to what never becomes a request of the app: broken HTTP, time-outs, CONNECT, other expectations.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connections, Exchange } from './connections.js'
import { errorReply } from './error-reply.js'
import { headersOf } from './headers.js'
import type { HttpFailure } from './http-failure.js'
import type { Observer } from './observer.js'
import { parserFault } from './protocol-faults.js'
import { requestIdOf } from './trace.js'

/** Milliseconds for a client to read its refusal before the connection is gone. */
const LINGER = 1_000

/** Refuses a request that Node could read, and ends its connection. */
export const refuse = (
  failure: HttpFailure,
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  observer: Observer,
): void => {
  const requestId = requestIdOf(headers['x-request-id']?.toString())
  const reply = errorReply(failure, requestId)
  response.shouldKeepAlive = false
  response.writeHead(reply.status, headersOf(reply, requestId))
  response.end(method === 'HEAD' ? undefined : reply.body)
  observer.answered({
    requestId,
    method,
    route: 'unmatched',
    status: reply.status,
    milliseconds: 0,
    keyId: undefined,
    traceId: undefined,
  })
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

/** Has the server answer in the Error shape where Node would answer by itself. */
export const answerRefusals = (server: Server, connections: Connections, observer: Observer): void => {
  const answer = (socket: Duplex, failure: HttpFailure, method: string): void => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const requestId = requestIdOf(undefined)
    const reply = errorReply(failure, requestId)
    const headers = { ...headersOf(reply, requestId), Date: new Date().toUTCString(), Connection: 'close' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n${String(reply.body)}`)
    // half-open until then: a reset would take the answer from who is still sending
    setTimeout(() => socket.destroy(), LINGER).unref()
    observer.answered({
      requestId,
      method,
      route: 'unmatched',
      status: reply.status,
      milliseconds: 0,
      keyId: undefined,
      traceId: undefined,
    })
  }

  // Node reports some errors of one socket twice
  const refused = new WeakSet<Duplex>()

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const exchanges = connections.exchangesOn(socket)
    // the error is of the request that is not yet whole; those before it are answered first
    const broken = exchanges.find(({ request }) => !request.complete)
    afterAll(
      exchanges.filter((exchange) => exchange !== broken),
      () => {
        if (broken?.response.headersSent) socket.destroy()
        else answer(socket, parserFault(error.code), '')
      },
    )
  })

  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    answer(socket, { _tag: 'MethodNotAllowed', allow: 'GET, HEAD, POST, OPTIONS' }, 'CONNECT')
  })

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.begin(request, response)
    refuse({ _tag: 'ExpectationFailed' }, request, response, observer)
  })
}
