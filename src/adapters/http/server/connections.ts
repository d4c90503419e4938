// The open connections of a server, and what is under way on each: Node itself does not tell.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** In the order of the requests; several where the client pipelines. */
  readonly exchanges: Set<Exchange>
  /** The newest one, for as long as it is under way or its request is not whole. */
  newest: Exchange | undefined
  /** What had been read when the last exchange ended: any byte more belongs to a request on its way. */
  bytesRead: number
  /** Milliseconds of the monotonic clock. */
  idleSince: number
}

export interface Connections {
  /** Takes note of a request until its response has left; false if the answer before it is the connection's last. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => boolean
  /** The requests that are not yet answered. */
  readonly openOn: (socket: Duplex) => readonly Exchange[]
  /** The request, answered or not, of which more bytes are to come. */
  readonly partialOn: (socket: Duplex) => Exchange | undefined
  /** From now on each connection ends with the newest of its answers, or with the next one; idleness counts from now. */
  readonly endEach: () => void
  /** Closes the connections on which nothing has happened for so many milliseconds. */
  readonly closeIdle: (milliseconds: number) => void
  readonly destroyAll: () => void
}

/** Milliseconds for a client to read its last answer before the connection is gone. */
const LINGER = 1_000

/** Ends a connection but reads on for a while: a reset would take the answer from a client that is still sending. */
export const endGently = (socket: Duplex, lastWords = ''): void => {
  socket.end(lastWords)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER).unref()
  socket.once('close', () => clearTimeout(timer))
}

export const trackConnections = (server: Server): Connections => {
  const connections = new Map<Duplex, Connection>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    const idleSince = performance.now()
    connections.set(socket, { socket, exchanges: new Set(), newest: undefined, bytesRead: 0, idleSince })
    // what Node calls after the last answer
    socket.destroySoon = () => endGently(socket)
    socket.once('close', () => connections.delete(socket))
  })

  const begin = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    const connection = connections.get(socket)
    // RFC 9112 §9.6: nothing after the last answer is processed
    if (connection === undefined || connection.newest?.response.shouldKeepAlive === false) return false
    const exchange = { request, response }
    connection.exchanges.add(exchange)
    connection.newest = exchange
    if (isEnding) response.shouldKeepAlive = false
    response.once('close', () => {
      connection.exchanges.delete(exchange)
      if (connection.newest === exchange && request.complete) connection.newest = undefined
      connection.bytesRead = socket.bytesRead
      connection.idleSince = performance.now()
    })
    return true
  }

  const isIdle = ({ socket, exchanges, bytesRead }: Connection): boolean =>
    exchanges.size === 0 && socket.bytesRead === bytesRead && socket.writable

  return {
    begin,
    openOn: (socket) => [...(connections.get(socket)?.exchanges ?? [])],
    partialOn: (socket) => {
      const newest = connections.get(socket)?.newest
      return newest?.request.complete === false ? newest : undefined
    },
    endEach: () => {
      isEnding = true
      for (const connection of connections.values()) {
        connection.idleSince = performance.now()
        if (connection.newest !== undefined) connection.newest.response.shouldKeepAlive = false
      }
    },
    closeIdle: (milliseconds) => {
      const limit = performance.now() - milliseconds
      for (const connection of connections.values()) {
        if (connection.idleSince <= limit && isIdle(connection)) endGently(connection.socket)
      }
    },
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
