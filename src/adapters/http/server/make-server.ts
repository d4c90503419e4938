// Node's HTTP server around an app: limits, timeouts, and one request of a connection at a time.
import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkedSettings } from '../checked-settings.js'
import type { HttpFailure } from '../failures.js'
import { joinedUpTo } from '../messages/joined.js'
import { EVERY_METHOD } from '../messages/message.js'
import { isLast, MAX_HEADER_LINES, makeHeadFailure } from './head.js'
import { makeRefuse, type ParserError, parserFailure, type ReplySettings } from './malformed-requests.js'
import { makeValve } from './valve.js'

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

/** Responds to a request, at once or later; its return value is ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

interface Connection {
  readonly socket: Socket
  /** The latest request that has begun. */
  latest: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined
  /** What begins once those before it are over, in the order sent. */
  readonly waiting: (() => void)[]
  /** Why nothing that arrives from now on is executed. */
  failure: HttpFailure | undefined
  /** Bytes that the client had not taken at the last check, and since when that number is unchanged. */
  unreadBytes: number
  unreadSinceMs: number
}

export interface HttpServer {
  /** The caller makes it listen. */
  readonly server: Server
  readonly connections: ReadonlyMap<Duplex, Connection>
  /** From now on, each response is the last of its connection. */
  readonly endEach: () => void
}

/** Whether nothing is under way. `closed`, not `writableFinished`: then Node has also ended what ends with a response. */
const isFree = ({ latest, waiting }: Connection): boolean =>
  waiting.length === 0 && (latest === undefined || latest.response.closed)

/** Whether the client has left, or all that it sent is answered and taken. */
export const isIdle = (connection: Connection): boolean =>
  connection.socket.destroyed || (isFree(connection) && connection.socket.writableLength === 0)

/** Limit for request line and headers together. */
const MAX_HEADER_BYTES = 16_384
const CHECKING_INTERVAL_MS = 1_000
/** Keeps idle connections longer than load balancers do. */
const KEEP_ALIVE_MS = 65_000
/** Requests of a connection without a response; a client that sends more is disconnected (contract: one connection). */
const MAX_UNANSWERED = 32

/**
 * An HTTP server around a listener, with limits and timeouts for the public internet. Requests that Node refuses also
 * get the Error shape. Throws a RangeError for an invalid number. The caller makes it listen.
 */
export const makeServer = (listener: Listener, given: ServerSettings): HttpServer => {
  const settings = checkedSettings(given)
  const { requestTimeoutMs, maxBodyBytes, maxConnections = 10_000, unreadTimeoutMs = 30_000 } = settings
  const checkingMs = Math.max(1, Math.min(CHECKING_INTERVAL_MS, Math.floor(requestTimeoutMs / 10)))
  const server = createServer({
    IncomingMessage: joinedUpTo(maxBodyBytes, IncomingMessage),
    requestTimeout: Math.ceil(requestTimeoutMs),
    headersTimeout: Math.ceil(requestTimeoutMs / 2),
    connectionsCheckingInterval: checkingMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    // otherwise Node would respond by itself, without a body
    requireHostHeader: false,
  })
  // one more, so that it is noticed; without a limit, Node keeps every line of a head that never ends
  server.maxHeadersCount = MAX_HEADER_LINES + 1
  server.maxConnections = maxConnections
  const connections = new Map<Duplex, Connection>()
  const refuse = makeRefuse(settings)
  const failureOf = makeHeadFailure()
  const countExcess = makeValve(connections)
  let isEnding = false

  const start = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    connection.latest = { request, response }
    if (isEnding || isLast(request)) response.setHeader('Connection', 'close')
    const failure = (request.complete ? undefined : connection.failure) ?? failureOf(request)
    if (failure === undefined) listener(request, response)
    else refuse.exchange(failure, request, response)
  }

  const proceedAfterLatest = (connection: Connection): void => {
    connection.latest?.response.once('close', () => {
      const { socket, waiting } = connection
      // a response that ended the connection has ended the socket: nothing begins behind it
      if (socket.writable) waiting.shift()?.()
      if (waiting.length > 0) proceedAfterLatest(connection)
    })
  }

  const wait = (connection: Connection, next: () => void): void => {
    connection.waiting.push(next)
    if (connection.waiting.length === 1) proceedAfterLatest(connection)
  }

  /** Serves each request once those before it are over, and disconnects a client that sends too many. */
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    const { socket, latest, waiting, failure } = connection
    // a client may send its next request before the end of a response that it has taken is settled
    const unanswered = waiting.length + Number(latest?.response.writableEnded === false)
    if (failure === undefined && isFree(connection) && socket.writable) {
      start(connection, request, response)
    } else if (unanswered < MAX_UNANSWERED && !socket.destroyed) {
      wait(connection, () => start(connection, request, response))
    } else {
      socket.destroy()
      countExcess()
    }
  }

  /** Refuses a malformed or late request once everything before it is over, and ends the connection. */
  const refuseRest = (stream: Duplex, failure: HttpFailure, request?: IncomingMessage): void => {
    const connection = connections.get(stream)
    // Node reports further faults of the same connection, too, also behind its last response
    if (connection === undefined || connection.failure !== undefined || !connection.socket.writable) return
    const { socket, latest, waiting } = connection
    connection.failure = failure
    const isPartial = latest?.request.complete === false
    // at the end of the next turn, because a reply to the headers that is ready now is sent at the end of this one
    if (isPartial && waiting.length === 0)
      setImmediate(setImmediate, () => refuse.exchange(failure, latest.request, latest.response))
    const speak = (): void => {
      // a request with a response gets no second one
      if (connection.latest?.request.complete === false) socket.end(() => socket.destroy())
      else refuse.connection(failure, socket, request)
    }
    if (isFree(connection)) speak()
    else wait(connection, speak)
  }

  server.on('connection', (socket) => {
    const nothing = { latest: undefined, waiting: [], failure: undefined, unreadBytes: 0, unreadSinceMs: 0 }
    const connection: Connection = { socket, ...nothing }
    connections.set(socket, connection)
    socket.on('close', () => connections.delete(socket))
    socket.on('end', () => {
      const { latest } = connection
      // a client that has ended its sending side has left; a stream would wait for it to read
      if (latest?.response.headersSent === true && !latest.response.writableEnded) socket.destroy()
    })
  })
  server.on('request', begin)
  // with this listener, Node does not send the interim response 100; we do, once the body is needed
  server.on('checkContinue', begin)
  server.on('checkExpectation', begin)
  server.on('clientError', (error: ParserError, socket) => {
    const failure = parserFailure(error)
    if (failure === undefined) socket.destroy()
    else refuseRest(socket, failure)
  })
  server.on('connect', (request, socket) => {
    // Node lets go of this socket: only reads show that the client leaves, and earlier responses still wait for `drain`
    const tellResponse = () => connections.get(socket)?.latest?.response.emit('drain')
    socket
      .on('error', () => {})
      .on('drain', tellResponse)
      .resume()
    refuseRest(socket, { _tag: 'MethodNotAllowed', allow: EVERY_METHOD }, request)
  })
  // not the timeout of the socket, because each byte that the client sends resets it
  const checking = setInterval(() => {
    const now = performance.now()
    for (const connection of connections.values()) {
      const { writableLength } = connection.socket
      if (writableLength === 0 || writableLength !== connection.unreadBytes) {
        connection.unreadBytes = writableLength
        connection.unreadSinceMs = now
      } else if (now - connection.unreadSinceMs > unreadTimeoutMs) connection.socket.destroy()
    }
  }, checkingMs).unref()
  server.once('close', () => clearInterval(checking))

  const endEach = (): void => {
    isEnding = true
    for (const { latest } of connections.values())
      if (latest?.response.headersSent === false) latest.response.setHeader('Connection', 'close')
  }
  return { server, connections, endEach }
}
