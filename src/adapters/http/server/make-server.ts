// The HTTP server around an app, with limits and timeouts, and how it stops without losing a request. The caller makes it listen.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { joinedUpTo } from '../messages/joined-message.js'
import type { Exchange } from './connection.js'
import { type Connections, trackConnections } from './connections.js'
import { makeProtocolFailure, makeRefuse, type ReplySettings, refuseMalformed } from './malformed-requests.js'

export interface ServerSettings extends ReplySettings {
  /** Time for a whole request to arrive; its headers have half of it. */
  readonly requestTimeoutMs: number
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Further connections are closed at once; 10,000 by default. */
  readonly maxConnections?: number
  /** How long a client may leave a response unread; 30 s by default. */
  readonly unreadTimeoutMs?: number
}

export interface HttpServer {
  readonly server: Server
  readonly connections: Connections
}

/** Request line and headers together. */
const MAX_HEADER_BYTES = 16_384
/** Interval of the checks for late requests. */
const CHECKING_INTERVAL_MS = 1_000
/** How long an idle connection is kept: longer than balancers keep theirs. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000

/** Responds to a request, at once or later; its return value is ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server around a listener, with limits and timeouts for the public internet. Requests that Node itself refuses get
 * the Error shape too.
 */
export const makeServer = (listener: Listener, settings: ServerSettings): HttpServer => {
  const { requestTimeoutMs, maxBodyBytes, maxConnections = 10_000, unreadTimeoutMs = 30_000 } = settings
  const server = createServer({
    IncomingMessage: joinedUpTo(maxBodyBytes),
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.ceil(requestTimeoutMs / 2),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // otherwise Node would respond by itself, without a body
    requireHostHeader: false,
  })
  server.maxHeadersCount = 0
  server.maxConnections = maxConnections
  // otherwise Node would drop the responses to a client that has closed its sending side; its types lack this option
  Object.assign(server, { httpAllowHalfOpen: true })
  const failureOf = makeProtocolFailure()
  const refuse = makeRefuse(settings)

  const serve = ({ request, response }: Exchange): void => {
    const failure = failureOf(request)
    if (failure === undefined) listener(request, response)
    else refuse(failure, request, response)
  }
  const connections = trackConnections(server, serve, { unreadTimeoutMs, lingerMs: requestTimeoutMs })
  server.on('request', connections.begin)
  // with this listener we send the interim response 100 ourselves, once the body is needed
  server.on('checkContinue', connections.begin)
  server.on('checkExpectation', connections.begin)
  refuseMalformed(server, connections, refuse)
  return { server, connections }
}

export interface StopSettings {
  /** How long connections are still accepted, so that a balancer notices that ready is 503. */
  readonly drainMs: number
  /** How long requests in flight may then take. */
  readonly shutdownMs: number
}

/** How long a kept connection may be without a request before it is closed. */
const IDLE_MS = 1_000
const LOOK_INTERVAL_MS = 50

/**
 * Resolves to whether all requests got their responses; the others are closed at the deadline. Every response from now on is the
 * last of its connection.
 */
export const stopServer = async (
  { server, connections }: HttpServer,
  { drainMs, shutdownMs }: StopSettings,
): Promise<boolean> => {
  connections.endEach()
  await pause(drainMs)
  // accepts what has connected during this turn of the event loop: a close would reset it
  await nextTurn()
  // http's own close would reset idle connections, and with them a request that is just arriving
  TcpServer.prototype.close.call(server)
  connections.closeIdle(IDLE_MS)
  const look = setInterval(() => connections.closeIdle(IDLE_MS), LOOK_INTERVAL_MS)
  let isComplete = true
  const deadline = setTimeout(() => {
    isComplete = connections.areIdle()
    connections.destroyAll()
  }, shutdownMs)
  await once(server, 'close')
  // ends http's own interval, which would keep the server in memory
  server.close()
  clearInterval(look)
  clearTimeout(deadline)
  return isComplete
}
