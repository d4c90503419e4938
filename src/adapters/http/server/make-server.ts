// The HTTP server around an app: its limits and timeouts. It does not listen by itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Connections, trackConnections } from './connections.js'
import type { Observer } from '../observer.js'
import { protocolFault } from './protocol-faults.js'
import { answerRefusals, refuse } from './refusals.js'

export interface ServerSettings {
  /** Milliseconds for a whole request to arrive; its headers have half of it. */
  readonly requestTimeout: number
  readonly observer: Observer
}

export interface HttpServer {
  readonly server: Server
  readonly connections: Connections
}

/** Bytes of request line and headers together. */
const MAX_HEADER_SIZE = 16_384
/** Milliseconds between looks for requests that are late. */
const CHECKING_INTERVAL = 1_000
/** Milliseconds for which an unused connection is kept: longer than balancers keep theirs. */
const KEEP_ALIVE_TIMEOUT = 65_000

/** Answers a request, at once or later; what it returns is not looked at. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server around a listener, with the limits and timeouts that HTTP on the open net needs; what Node refuses by
 * itself leaves in the Error shape too.
 *
 * @example
 * const { server } = makeServer((_, response) => response.end('hello'), { ...DEFAULT_SETTINGS, requestTimeout: 10_000 })
 * server.listening // => false
 */
export const makeServer = (listener: Listener, { requestTimeout, observer }: ServerSettings): HttpServer => {
  const server = createServer({
    requestTimeout,
    headersTimeout: Math.ceil(requestTimeout / 2),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: CHECKING_INTERVAL,
    maxHeaderSize: MAX_HEADER_SIZE,
    // Node would answer by itself, without a body
    requireHostHeader: false,
  })
  server.maxHeadersCount = 0
  // Node would drop the answers to a client that has closed its sending side; its types do not know the switch
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = trackConnections(server)

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!connections.begin(request, response)) return
    const fault = protocolFault(request)
    if (fault === undefined) listener(request, response)
    else refuse(fault, request, response, observer)
  }

  server.on('request', serve)
  // with a listener the interim answer 100 is ours to send: when the body is wanted, not before
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  answerRefusals(server, connections, observer)
  return { server, connections }
}
