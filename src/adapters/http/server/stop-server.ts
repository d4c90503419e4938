// Stops a server without losing a request.
import { once } from 'node:events'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { HttpServer } from './make-server.js'

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
 *
 * @example
 * const http = makeServer((_, response) => response.end(), { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000 })
 * http.server.listen(0, '127.0.0.1')
 * await stopServer(http, { drainMs: 0, shutdownMs: 10_000 }) // => true
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
