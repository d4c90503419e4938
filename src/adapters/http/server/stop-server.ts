// A stop that loses no request ("how it is run": While it runs).
import { once } from 'node:events'
import { Server as TcpServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpServer } from './make-server.js'

/** Milliseconds. */
export interface StopSettings {
  /** How long connections are still accepted, for a balancer to see that ready is 503. */
  readonly drain: number
  /** How long requests under way may then take. */
  readonly shutdown: number
}

const IDLE = 1_000
const LOOK_INTERVAL = 100

/**
 * Resolves to whether all requests were answered; what is left at the deadline is cut.
 *
 * @example
 * const http = makeServer((_, response) => response.end(), { ...DEFAULT_SETTINGS, requestTimeout: 10_000 })
 * http.server.listen(0, '127.0.0.1')
 * await stopServer(http, { drain: 0, shutdown: 10_000 }) // => true
 */
export const stopServer = async (
  { server, connections }: HttpServer,
  { drain, shutdown }: StopSettings,
): Promise<boolean> => {
  await pause(drain)
  // http's own close would reset idle connections, and with them a request that is just on its way
  TcpServer.prototype.close.call(server)
  connections.endEach()
  const look = setInterval(() => connections.closeIdle(IDLE), LOOK_INTERVAL)
  let isComplete = true
  const deadline = setTimeout(() => {
    isComplete = false
    connections.destroyAll()
  }, shutdown)
  await once(server, 'close')
  clearInterval(look)
  clearTimeout(deadline)
  return isComplete
}
