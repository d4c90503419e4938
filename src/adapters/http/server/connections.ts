// The open connections of a server, each with one request under way and a few that wait.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpFailure } from '../failures.js'
import { isLast } from '../messages/head.js'
import { type Connection, type Exchange, isBusy, isClosing, isIdle, isLastRead } from './connection.js'
import type { Refuse } from './malformed-requests.js'
import { isBlank, makeTurns, Wire } from './wire.js'

export interface ConnectionLimits {
  /** Time for a whole request to arrive; its headers have half of it. */
  readonly requestTimeoutMs: number
  /** How long a client may leave a response unread. */
  readonly unreadTimeoutMs: number
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number
}

export interface Connections {
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

/** What Node's HTTP tells of them. */
export interface TrackedConnections extends Connections {
  /** Returns what Node's HTTP reads and writes in place of the socket. */
  readonly open: (socket: Socket) => Duplex
  /** Serves the request once those before it are over, unless one of them was the last of its connection. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
  /** Refuses what has arrived, once all that came before it is over, and ends the connection. */
  readonly refuse: (wire: Duplex, failure: HttpFailure, request?: IncomingMessage) => void
  /** Refuses the requests that take too long to arrive, and closes the connections that are idle, or leave a response unread, for too long. */
  readonly closeLate: () => void
}

/** How many requests of one connection may be without a response (contract: one connection). */
const MAX_AHEAD = 8

/** Time without a byte from a client after its last response. */
const LINGER_SILENCE_MS = 2_000

export const trackConnections = (
  serve: (exchange: Exchange) => void,
  refuse: Refuse,
  { requestTimeoutMs, unreadTimeoutMs, keepAliveMs }: ConnectionLimits,
): TrackedConnections => {
  const connections = new Map<Duplex, Connection>()
  const turns = makeTurns()
  let isEnding = false

  /** Reads on after our last word for a while: a reset would lose it to a client that still sends (RFC 9112 §9.6). */
  const linger = (socket: Socket): void => {
    socket.setTimeout(LINGER_SILENCE_MS).resume()
    const deadline = setTimeout(() => socket.destroy(), requestTimeoutMs).unref()
    socket.once('close', () => clearTimeout(deadline))
  }

  const proceed = (connection: Connection): void => {
    const { wire, waiting, lastWord } = connection
    const exchange = wire.writableEnded ? undefined : waiting.shift()
    connection.since = performance.now()
    if (exchange !== undefined) start(connection, exchange)
    else lastWord?.()
  }

  const settle = (connection: Connection): void => {
    const { wire } = connection
    connection.exchange = undefined
    connection.since = performance.now()
    connection.isArriving = wire.hasHeld
    // one turn of the event loop for others
    if (isBusy(connection)) setImmediate(proceed, connection)
    else if (connection.isOver) wire.end()
  }

  const start = (connection: Connection, exchange: Exchange): void => {
    const { request, response } = exchange
    const { isOver, lastWord, waiting } = connection
    connection.isNew = false
    connection.exchange = exchange
    const isLastAllowed = isOver && lastWord === undefined && waiting.length === 0
    if (isEnding || isLastAllowed || isLast(request)) response.setHeader('Connection', 'close')
    response.once('close', () => settle(connection))
    if (lastWord !== undefined && !request.complete) lastWord()
    else serve(exchange)
  }

  /** Refuses the rest of a request, or what is none. */
  const refuseNow = ({ wire, exchange }: Connection, failure: HttpFailure, request?: IncomingMessage): void => {
    if (exchange !== undefined) refuse.exchange(failure, exchange)
    else if (wire.writable) refuse.connection(failure, wire, request)
  }

  const refuseLater = (connection: Connection, failure: HttpFailure, request?: IncomingMessage): void => {
    const { exchange, isOver, waiting } = connection
    const speak = (): void => refuseNow(connection, failure, request)
    const isPartial = exchange?.request.complete === false && !exchange.response.headersSent
    if (isOver && !isPartial) return
    connection.isOver = true
    // after the reply to its headers, if that is ready
    if (isPartial && waiting.length === 0) setImmediate(speak)
    else if (isBusy(connection)) connection.lastWord = speak
    else speak()
  }

  return {
    open: (socket) => {
      const wire = new Wire(socket, turns, () => !connection.isOver && !isLastRead(connection))
      const connection: Connection = {
        wire,
        waiting: [],
        exchange: undefined,
        isArriving: false,
        isOver: false,
        lastWord: undefined,
        since: performance.now(),
        isNew: true,
        unreadBytes: 0,
        unreadSince: 0,
      }
      connections.set(wire, connection)
      socket.prependListener('data', (bytes) => {
        if (connection.isArriving || isBusy(connection) || isBlank(bytes)) return
        connection.isArriving = true
        connection.since = performance.now()
      })
      wire.once('finish', () => linger(socket)).once('close', () => connections.delete(wire))
      return wire
    },
    begin: (request, response) => {
      const connection = connections.get(request.socket)
      if (connection === undefined || connection.isOver) return
      const { exchange, waiting } = connection
      if (waiting.length === MAX_AHEAD - 1 || (exchange !== undefined && isClosing(exchange))) connection.isOver = true
      else if (isBusy(connection)) waiting.push({ request, response })
      else start(connection, { request, response })
    },
    refuse: (wire, failure, request) => {
      const connection = connections.get(wire)
      if (connection !== undefined) refuseLater(connection, failure, request)
    },
    count: () => connections.size,
    inFlight: () => {
      let requests = 0
      for (const connection of connections.values()) if (isBusy(connection)) requests += 1
      return requests
    },
    endEach: () => {
      isEnding = true
      for (const { exchange } of connections.values())
        if (exchange?.response.headersSent === false) exchange.response.setHeader('Connection', 'close')
    },
    closeIdle: (idleMs) => {
      const limit = performance.now() - idleMs
      for (const connection of connections.values())
        if (connection.since <= limit && isIdle(connection)) connection.wire.end()
    },
    closeLate: () => {
      const now = performance.now()
      for (const connection of connections.values()) {
        const { wire, exchange, isArriving, isNew, since } = connection
        const waitsMs = now - since
        const hasBegun = isBusy(connection)
        const isLate = hasBegun
          ? exchange?.request.complete === false && waitsMs > requestTimeoutMs
          : (isArriving || isNew) && waitsMs > requestTimeoutMs / 2
        if (wire.writableLength === 0 || wire.writableLength !== connection.unreadBytes) {
          connection.unreadBytes = wire.writableLength
          connection.unreadSince = now
        }
        if (now - connection.unreadSince > unreadTimeoutMs) wire.destroy()
        else if (wire.writableEnded) continue
        else if (isLate) refuseLater(connection, { _tag: 'RequestTimeout' })
        else if (!hasBegun && waitsMs > keepAliveMs) wire.end()
      }
    },
    areIdle: () => [...connections.values()].every(isIdle),
    destroyAll: () => {
      for (const wire of connections.keys()) wire.destroy()
    },
  }
}
