// The open connections of a server, each with at most one request under way.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLast } from '../messages/framing.js'
import { favourAccepting } from '../messages/turns.js'
import { awaitBody, type Connection, type Exchange, hold, lingeringClose, take, takeHeld } from './connection.js'

export interface Connections {
  /** Serves the request once the exchange before it is over, unless that was the last of the connection. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
  /** Parses nothing more. Calls back with the exchange whose body is incomplete, or without one once all exchanges are over. */
  readonly endWith: (socket: Duplex, respond: (partial: Exchange | undefined) => void) => void
  readonly count: () => number
  /** Number of requests without a response yet. */
  readonly inFlight: () => number
  /** From now on each connection ends with its present response, or with the next one. */
  readonly endEach: () => void
  /** Closes the connections that have been idle for this many milliseconds. */
  readonly closeIdle: (idleMs: number) => void
  /** Whether no connection has a request in flight or arriving. */
  readonly areIdle: () => boolean
  readonly destroyAll: () => void
}

const isIdle = ({ socket, exchange, later, isOver, settledBytes }: Connection): boolean =>
  exchange === undefined && later.length === 0 && (isOver || socket.bytesRead === settledBytes)

/** Milliseconds after a 503 until its connection gets a turn: retries at once would take the time of those that are served. */
const REFUSED_MS = 20

/** Looks at an unread response within `timeoutMs`. */
const CHECKS = 10

/** Node counts here what of a long write has not left yet, and nowhere else; its types lack it. */
interface Queue {
  readonly _handle?: { readonly writeQueueSize: number } | null
}

/** Destroys each socket from whose unread bytes its client has taken nothing for this time, also if it keeps sending meanwhile. */
const endUnread = (server: Server, connections: ReadonlyMap<unknown, Connection>, timeoutMs: number): void => {
  const unread = new WeakMap<Socket, { readonly taken: number; readonly since: number }>()
  const check = ({ socket }: Connection): void => {
    const now = performance.now()
    const taken = socket.bytesWritten - ((socket as Queue)._handle?.writeQueueSize ?? 0)
    const last = unread.get(socket)
    if (socket.writableLength === 0 || last?.taken !== taken) unread.set(socket, { taken, since: now })
    else if (now - last.since >= timeoutMs) socket.destroy()
  }
  const timer = setInterval(() => connections.forEach(check), Math.ceil(timeoutMs / CHECKS)).unref()
  server.once('close', () => clearInterval(timer))
}

/** A client may go on sending after its last response for `lingerMs`. */
export const trackConnections = (
  server: Server,
  serve: (exchange: Exchange) => void,
  { unreadTimeoutMs, lingerMs }: { readonly unreadTimeoutMs: number; readonly lingerMs: number },
): Connections => {
  const connections = new Map<Duplex, Connection>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    favourAccepting()
    // Node's own listeners parse all requests of a chunk at once, and end the connection although some of them wait
    const [parse] = socket.listeners('data') as [Connection['parse']]
    const [end] = socket.listeners('end').slice(-1) as [Connection['end']]
    socket.off('data', parse).off('end', end)
    const connection: Connection = {
      socket,
      parse,
      end,
      later: [],
      held: undefined,
      exchange: undefined,
      isEnded: false,
      isOver: false,
      isWaiting: false,
      hasTurn: false,
      bytesBehind: 0,
      isBodyBehind: false,
      parsedBytes: 0,
      settledBytes: 0,
      headBytes: 0,
      idleSince: performance.now(),
    }
    connections.set(socket, connection)
    // Node calls this after the last response
    socket.destroySoon = () => {
      connection.isOver = true
      lingeringClose(socket, lingerMs)
    }
    socket.on('data', (chunk: Buffer) => take(connection, chunk))
    // before what arrives from now on
    socket.on('resume', () => takeHeld(connection))
    socket.on('end', () => {
      connection.isEnded = true
      takeHeld(connection)
    })
    socket.once('close', () => {
      // its parser may serve another connection now
      connection.isOver = true
      connection.later.length = 0
      connections.delete(socket)
    })
  })

  endUnread(server, connections, unreadTimeoutMs)

  const settle = (connection: Connection): void => {
    const { socket, later, held } = connection
    connection.exchange = undefined
    connection.settledBytes = connection.parsedBytes
    connection.idleSince = performance.now()
    if (!socket.writable) later.length = 0
    else if (later.length > 0 || held !== undefined) hold(connection)
    else if (socket.isPaused()) socket.resume()
  }

  const start = (connection: Connection, exchange: Exchange): void => {
    const { request, response } = exchange
    connection.exchange = exchange
    if (isEnding || isLast(request)) response.shouldKeepAlive = false
    awaitBody(connection, request)
    response.on('close', () => {
      if (response.statusCode === 503) setTimeout(settle, REFUSED_MS, connection)
      else settle(connection)
    })
    serve(exchange)
  }

  /** After the exchange under way, unless that was the last. */
  const next = ({ exchange, later }: Connection, step: () => void): void => {
    if (exchange === undefined && later.length === 0) step()
    else later.push(step)
  }

  return {
    begin: (request, response) => {
      const connection = connections.get(request.socket)
      if (connection === undefined || connection.isOver) return
      next(connection, () => start(connection, { request, response }))
    },
    endWith: (socket, respond) => {
      const connection = connections.get(socket)
      if (connection === undefined || connection.isOver) return
      connection.isOver = true
      const { exchange } = connection
      if (exchange?.request.complete === false) respond(exchange)
      else next(connection, () => respond(undefined))
    },
    count: () => connections.size,
    inFlight: () => {
      let requests = 0
      for (const { exchange, isWaiting } of connections.values())
        if (exchange?.response.closed === false || isWaiting) requests += 1
      return requests
    },
    endEach: () => {
      isEnding = true
      for (const { exchange } of connections.values())
        if (exchange !== undefined) exchange.response.shouldKeepAlive = false
    },
    closeIdle: (idleMs) => {
      const limit = performance.now() - idleMs
      for (const connection of connections.values())
        if (connection.idleSince <= limit && isIdle(connection) && connection.socket.writable)
          connection.socket.destroySoon()
    },
    areIdle: () => [...connections.values()].every(isIdle),
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
