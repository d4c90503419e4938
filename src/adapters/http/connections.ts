// The open connections of a server, and what is under way on each: Node itself does not tell.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  /** In the order of the requests; several where the client pipelines. */
  readonly exchanges: Set<Exchange>
  /** What had been read when the last exchange ended: any byte more belongs to a request on its way. */
  bytesRead: number
  /** Milliseconds of the monotonic clock. */
  idleSince: number
}

export interface Connections {
  /** Takes note of a request until its response has left. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
  readonly exchangesOn: (socket: Duplex) => readonly Exchange[]
  /** From now on every answer ends its connection; idleness counts from now. */
  readonly endEach: () => void
  /** Closes the connections on which nothing has happened for so many milliseconds. */
  readonly closeIdle: (milliseconds: number) => void
  readonly destroyAll: () => void
}

export const trackConnections = (server: Server): Connections => {
  const connections = new Map<Duplex, Connection>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { exchanges: new Set(), bytesRead: 0, idleSince: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined) return
    const exchange = { request, response }
    connection.exchanges.add(exchange)
    if (isEnding) response.shouldKeepAlive = false
    response.once('close', () => {
      connection.exchanges.delete(exchange)
      connection.bytesRead = socket.bytesRead
      connection.idleSince = performance.now()
    })
  }

  const isIdle = (socket: Duplex, { exchanges, bytesRead }: Connection): boolean =>
    exchanges.size === 0 && 'bytesRead' in socket && socket.bytesRead === bytesRead

  return {
    begin,
    exchangesOn: (socket) => [...(connections.get(socket)?.exchanges ?? [])],
    endEach: () => {
      isEnding = true
      for (const connection of connections.values()) {
        connection.idleSince = performance.now()
        for (const { response } of connection.exchanges) response.shouldKeepAlive = false
      }
    },
    closeIdle: (milliseconds) => {
      const limit = performance.now() - milliseconds
      for (const [socket, connection] of connections) {
        if (connection.idleSince <= limit && isIdle(socket, connection)) socket.end()
      }
    },
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
