// The HTTP server around an app: its limits and timeouts. It does not listen by itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Observer } from '../observer.js'
import { type Connections, trackConnections } from './connections.js'
import { makeProtocolFailure } from './protocol-failure.js'
import { answerRefusals, refuse } from './refusals.js'

export interface ServerSettings {
  /** Milliseconds for a whole request to arrive; its headers have half of it. */
  readonly requestTimeoutMs: number
  /** Milliseconds for which a client may leave a response unread; 30,000 unless given. */
  readonly unreadTimeoutMs?: number
  readonly observer: Observer
}

export interface HttpServer {
  readonly server: Server
  readonly connections: Connections
}

/** Bytes of request line and headers together. */
const MAX_HEADER_BYTES = 16_384
/** Milliseconds between looks for requests that are late. */
const CHECKING_INTERVAL_MS = 1_000
/** Milliseconds for which an unused connection is kept: longer than balancers keep theirs. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const UNREAD_TIMEOUT_MS = 30_000

/** Answers a request, at once or later; its return value is ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server around a listener, with the limits and timeouts that HTTP on the open net needs. Requests that Node refuses
 * by itself get the Error shape too.
 *
 * @example
 * const { server } = makeServer((_, response) => response.end('hello'), { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000 })
 * server.listening // => false
 */
export const makeServer = (listener: Listener, settings: ServerSettings): HttpServer => {
  const { requestTimeoutMs, unreadTimeoutMs = UNREAD_TIMEOUT_MS, observer } = settings
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.ceil(requestTimeoutMs / 2),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would answer by itself, without a body
    requireHostHeader: false,
  })
  server.maxHeadersCount = 0
  // Node would drop the responses to a client that has closed its sending side; its types do not know the switch
  Object.assign(server, { httpAllowHalfOpen: true })
  const failureOf = makeProtocolFailure()

  const connections = trackConnections(
    server,
    ({ request, response }) => {
      const failure = failureOf(request)
      if (failure === undefined) listener(request, response)
      else refuse(failure, request, response, observer)
    },
    { unreadTimeoutMs },
  )

  server.on('request', connections.begin)
  // with a listener the interim response 100 is ours to send: when the body is wanted, not before
  server.on('checkContinue', connections.begin)
  server.on('checkExpectation', connections.begin)
  answerRefusals(server, connections, observer)
  return { server, connections }
}
