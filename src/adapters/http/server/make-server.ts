// The HTTP server around an app, with limits and timeouts, and a stop that loses no request.
import { once } from 'node:events'
import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Notify } from '../../../ports/notice.js'
import { checkedSettings, checkNumbers } from '../checked-settings.js'
import type { HttpFailure } from '../failures.js'
import { makeHeadFailure } from '../messages/head.js'
import { joinedUpTo } from '../messages/joined.js'
import { EVERY_METHOD } from '../messages/message.js'
import { beginOn, makeTurns, openOn, refuseRest, type Serving } from './connection.js'
import { type Connections, makeConnections } from './connections.js'
import { makeRefuse, type ParserError, parserFailure, type ReplySettings } from './malformed-requests.js'

export interface ServerSettings extends ReplySettings {
  /** Milliseconds for a whole request to arrive; its headers have half of that. */
  readonly requestTimeoutMs: number
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Further connections are closed at once; 10,000 by default. */
  readonly maxConnections?: number
  /** Milliseconds for which a client may leave a response unread; 30,000 by default. */
  readonly unreadTimeoutMs?: number
}

export interface HttpServer {
  /** Accepts connections; the caller makes it listen. */
  readonly server: Server
  readonly connections: Connections
}

/** Limit for request line and headers together. */
const MAX_HEADER_BYTES = 16_384
/** Interval of the checks for late requests; less if the request timeout is below 10 s. */
const CHECKING_INTERVAL_MS = 1_000
/** Keeps idle connections longer than load balancers do. */
const KEEP_ALIVE_MS = 65_000

/** Responds to a request, at once or later; its return value is ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server around a listener, with limits and timeouts for the public internet. Requests that Node refuses also
 * get the Error shape. Throws a RangeError for an invalid number. The caller makes it listen.
 */
export const makeServer = (listener: Listener, given: ServerSettings): HttpServer => {
  const settings = checkedSettings(given)
  const { requestTimeoutMs, maxBodyBytes, maxConnections = 10_000, unreadTimeoutMs = 30_000 } = settings
  // never listens: a stopping HTTP server would reset idle connections, and with them requests that are just arriving
  const http = createServer({
    IncomingMessage: joinedUpTo(maxBodyBytes, IncomingMessage),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // otherwise Node would respond by itself, without a body
    requireHostHeader: false,
  })
  http.maxHeadersCount = 0
  const serving: Serving = {
    serve: listener,
    inTurn: makeTurns(),
    refuse: makeRefuse(settings),
    failureOf: makeHeadFailure(),
    connections: new Map(),
    lingerMs: requestTimeoutMs,
    isEnding: false,
  }
  const connections = makeConnections(serving, { requestTimeoutMs, unreadTimeoutMs, keepAliveMs: KEEP_ALIVE_MS })
  const refuse = (wire: Duplex, failure: HttpFailure, request?: IncomingMessage): void => {
    const connection = serving.connections.get(wire)
    if (connection !== undefined) refuseRest(connection, failure, request)
  }
  const begin = beginOn(serving)
  http.on('request', begin)
  // with this listener, Node does not send the interim response 100; we do, once the body is needed
  http.on('checkContinue', begin)
  http.on('checkExpectation', begin)
  http.on('clientError', (error: ParserError, wire) => {
    const failure = parserFailure(error)
    if (failure === undefined) wire.destroy()
    else refuse(wire, failure)
  })
  http.on('connect', (request: IncomingMessage, wire: Duplex) => {
    // Node no longer handles errors of this stream
    wire.on('error', () => {})
    refuse(wire, { _tag: 'MethodNotAllowed', allow: EVERY_METHOD }, request)
  })

  const server = createTcpServer({ noDelay: true }, openOn(http, serving))
  server.maxConnections = maxConnections
  const checking = setInterval(connections.closeLate, Math.min(CHECKING_INTERVAL_MS, requestTimeoutMs / 10)).unref()
  server.once('close', () => clearInterval(checking))
  return { server, connections }
}

/** A full server counts as full until it is down to this share, so that not every single close is reported. */
const RELAXED = 0.9

/** Reports when a full server begins to refuse connections and when it stops. Returns a counter of refused ones. */
export const watchConnections = ({ server, connections }: HttpServer, notify: Notify): (() => number) => {
  let refused = 0
  let isFull = false
  const look = (): void => {
    if (connections.count() > RELAXED * server.maxConnections) return
    isFull = false
    server.off('connection', look)
    notify({ level: 'info', message: 'connections are accepted again', details: { refused: String(refused) } })
  }
  server.on('drop', () => {
    refused += 1
    if (isFull) return
    isFull = true
    server.on('connection', look)
    const details = { setting: 'MAX_CONNECTIONS', connections: String(server.maxConnections) }
    notify({ level: 'warn', message: 'connections are refused: as many are open as are allowed', details })
  })
  return () => refused
}

export interface StopSettings {
  /** Milliseconds for which connections are still accepted, so that load balancers notice that readiness is 503. */
  readonly drainMs: number
  /** Milliseconds that requests in flight may then take. */
  readonly shutdownMs: number
}

/** While stopping, a connection without a request is closed after this time. */
const IDLE_MS = 1_000
const LOOK_INTERVAL_MS = 50

/**
 * Resolves to whether all requests got their responses; connections still open at the deadline are closed. Each
 * response from now on is the last of its connection.
 */
export const stopServer = async (
  { server, connections }: HttpServer,
  { drainMs, shutdownMs }: StopSettings,
): Promise<boolean> => {
  checkNumbers({ drainMs, shutdownMs })
  connections.endEach()
  await pause(drainMs)
  // accepts connections that arrived during this turn of the event loop; closing the server would reset them
  await nextTurn()
  server.close()
  connections.closeIdle(IDLE_MS)
  // setImmediate lets arrived bytes be read first: a timer runs before I/O, and would close a connection with a request
  const look = setInterval(() => setImmediate(connections.closeIdle, IDLE_MS), LOOK_INTERVAL_MS)
  let isComplete = true
  const deadline = setTimeout(() => {
    isComplete = connections.areIdle()
    connections.destroyAll()
  }, shutdownMs)
  await once(server, 'close')
  clearInterval(look)
  clearTimeout(deadline)
  return isComplete
}
