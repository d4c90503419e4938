// Tracks the open connections of a server and their requests in flight, which Node does not report.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { lingeringClose } from './lingering-close.js'
import { endUnread } from './unread-responses.js'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** Unanswered exchanges, in the order of the requests; several if the client pipelines. */
  readonly exchanges: Exchange[]
  /** The ones among them that wait for earlier ones. */
  readonly waiting: Exchange[]
  /** The newest exchange, while it is in flight or its request is incomplete. */
  newest: Exchange | undefined
  /** Bytes read when the last exchange ended. Any further byte belongs to a new request. */
  bytesRead: number
  /** In milliseconds on the monotonic clock. */
  idleSince: number
}

export interface Connections {
  /** Serves the request, at once or after earlier ones; never after the last response of the connection. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
  /** Number of open connections. */
  readonly count: () => number
  /** Number of requests that are not answered yet. */
  readonly inFlight: () => number
  /** The unanswered exchanges. */
  readonly openOn: (socket: Duplex) => readonly Exchange[]
  /** The exchange, answered or not, whose request is incomplete. */
  readonly partialOn: (socket: Duplex) => Exchange | undefined
  /** From now on each connection ends with its newest response, or with the next one. */
  readonly endEach: () => void
  /** Closes the connections that have been idle for this many milliseconds. */
  readonly closeIdle: (idleMs: number) => void
  /** Whether no connection has a request in flight or arriving. */
  readonly areIdle: () => boolean
  readonly destroyAll: () => void
}

export interface ConnectionSettings {
  /** How long a client may leave a response unread. */
  readonly unreadTimeoutMs: number
}

/** Requests of one connection that are served concurrently. Further pipelined requests wait. */
const MAX_CONCURRENT = 32

const isIdle = ({ socket, exchanges, bytesRead }: Connection): boolean =>
  exchanges.length === 0 && socket.bytesRead === bytesRead

export const trackConnections = (
  server: Server,
  serve: (exchange: Exchange) => void,
  { unreadTimeoutMs }: ConnectionSettings,
): Connections => {
  const connections = new Map<Duplex, Connection>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    const connection: Connection = {
      socket,
      exchanges: [],
      waiting: [],
      newest: undefined,
      bytesRead: 0,
      idleSince: performance.now(),
    }
    connections.set(socket, connection)
    // Node calls this after the last response
    socket.destroySoon = () => lingeringClose(socket)
    // Node continues reading after each response; while requests wait, more of them would pile up
    const resume = socket.resume.bind(socket)
    socket.resume = () => (connection.waiting.length > 0 ? socket : resume())
    socket.once('close', () => connections.delete(socket))
  })

  endUnread(server, unreadTimeoutMs, (socket) => {
    const connection = connections.get(socket)
    return connection === undefined || isIdle(connection)
  })

  const serveNext = ({ socket, waiting }: Connection): void => {
    const next = waiting.shift()
    if (next === undefined) return
    // it may have been refused meanwhile
    if (!next.response.headersSent && socket.writable) serve(next)
    if (waiting.length === 0) socket.resume()
  }

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const connection = connections.get(socket)
    // RFC 9112 §9.6: nothing after the last response is processed
    if (connection === undefined || !socket.writable) return
    if (connection.newest?.response.shouldKeepAlive === false) return
    const exchange = { request, response }
    connection.exchanges.push(exchange)
    connection.newest = exchange
    if (isEnding) response.shouldKeepAlive = false
    const settle = (): void => {
      if (connection.newest === exchange && request.complete) connection.newest = undefined
      connection.bytesRead = socket.bytesRead
      connection.idleSince = performance.now()
    }
    response.on('close', () => {
      connection.exchanges.splice(connection.exchanges.indexOf(exchange), 1)
      settle()
      // Node still reads the body of a refused request
      if (!request.complete) request.once('end', settle)
      // in a later turn, so that other connections are served in between
      if (connection.waiting.length > 0) setImmediate(serveNext, connection)
    })
    // never before waiting requests: requests begin in the order in which the client sent them
    if (connection.waiting.length === 0 && connection.exchanges.length <= MAX_CONCURRENT) {
      serve(exchange)
    } else {
      connection.waiting.push(exchange)
      socket.pause()
    }
  }

  return {
    begin,
    count: () => connections.size,
    inFlight: () => {
      let exchanges = 0
      for (const connection of connections.values()) exchanges += connection.exchanges.length
      return exchanges
    },
    openOn: (socket) => [...(connections.get(socket)?.exchanges ?? [])],
    partialOn: (socket) => {
      const newest = connections.get(socket)?.newest
      return newest?.request.complete === false ? newest : undefined
    },
    endEach: () => {
      isEnding = true
      for (const { newest } of connections.values()) if (newest !== undefined) newest.response.shouldKeepAlive = false
    },
    closeIdle: (idleMs) => {
      const limit = performance.now() - idleMs
      for (const connection of connections.values()) {
        if (connection.idleSince <= limit && isIdle(connection) && connection.socket.writable)
          lingeringClose(connection.socket)
      }
    },
    areIdle: () => [...connections.values()].every(isIdle),
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
