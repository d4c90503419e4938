// The HTTP server around an app, with limits and timeouts, and how it stops without losing a request. The caller makes it listen.
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
  /** Accepts connections; the caller makes it listen. */
  readonly server: Server
  readonly connections: Connections
}

/** Request line and headers together. */
const MAX_HEADER_BYTES = 16_384
/** Interval of the checks for late requests, which is at most a tenth of their time. */
const CHECKING_INTERVAL_MS = 1_000
/** How long an idle connection is kept: longer than balancers keep theirs. */
const KEEP_ALIVE_MS = 65_000

/** Responds to a request, at once or later; its return value is ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server around a listener, with limits and timeouts for the public internet. Requests that Node itself refuses get
 * the Error shape too.
 */
export const makeServer = (listener: Listener, given: ServerSettings): HttpServer => {
  const settings = checkedSettings(given)
  const { requestTimeoutMs, maxBodyBytes, maxConnections = 10_000, unreadTimeoutMs = 30_000 } = settings
  // it speaks HTTP and never listens: a server that stops would reset idle connections, and with them a request that is just arriving
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
  // with this listener we send the interim response 100 ourselves, once the body is needed
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

/** The server is no longer full once it has this share of its connections: otherwise each one that leaves would be reported. */
const RELAXED = 0.9

/** Reports when a full server begins to refuse connections and when it accepts them again. Returns the number refused so far. */
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
  checkNumbers({ drainMs, shutdownMs })
  connections.endEach()
  await pause(drainMs)
  // accepts what has connected during this turn of the event loop: a close would reset it
  await nextTurn()
  server.close()
  connections.closeIdle(IDLE_MS)
  // after what has arrived was read: a busy loop runs its timers first, and would close a connection whose request is there already
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
