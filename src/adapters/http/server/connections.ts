// All open connections of a server: closes those that are late, idle or not reading.
import { isBusy, isIdle, refuseRest, type Serving } from './connection.js'

export interface ConnectionLimits {
  /** Milliseconds for a whole request to arrive; its headers have half of that. */
  readonly requestTimeoutMs: number
  /** Milliseconds for which a client may leave a response unread. */
  readonly unreadTimeoutMs: number
  /** Milliseconds for which an idle connection is kept. */
  readonly keepAliveMs: number
}

export interface Connections {
  readonly count: () => number
  /** Number of requests without a response yet. */
  readonly inFlight: () => number
  /** From now on, each connection ends with its current or next response. */
  readonly endEach: () => void
  /** Closes the connections that have been idle for this many milliseconds. */
  readonly closeIdle: (idleMs: number) => void
  /** Whether no connection has a request in flight or arriving. */
  readonly areIdle: () => boolean
  readonly destroyAll: () => void
}

export interface WatchedConnections extends Connections {
  /** Refuses late requests, and closes connections that have been idle or have left a response unread for too long. */
  readonly closeLate: () => void
}

export const makeConnections = (
  serving: Serving,
  { requestTimeoutMs, unreadTimeoutMs, keepAliveMs }: ConnectionLimits,
): WatchedConnections => {
  const { connections } = serving

  return {
    count: () => connections.size,
    inFlight: () => [...connections.values()].filter(isBusy).length,
    endEach: () => {
      serving.isEnding = true
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
        const { wire, exchange, isNew, since } = connection
        const waitsMs = now - since
        const hasBegun = isBusy(connection)
        const isLate = hasBegun
          ? exchange?.request.complete === false && waitsMs > requestTimeoutMs
          : (isNew || !wire.isBetween) && waitsMs > requestTimeoutMs / 2
        if (wire.writableLength === 0 || wire.writableLength !== connection.unreadBytes) {
          connection.unreadBytes = wire.writableLength
          connection.unreadSince = now
        }
        if (now - connection.unreadSince > unreadTimeoutMs) wire.destroy()
        else if (wire.writableEnded) continue
        else if (isLate) refuseRest(connection, { _tag: 'RequestTimeout' })
        else if (!hasBegun && waitsMs > keepAliveMs) wire.end()
      }
    },
    areIdle: () => [...connections.values()].every(isIdle),
    destroyAll: () => {
      for (const wire of connections.keys()) wire.destroy()
    },
  }
}
