// Stops a server without losing a request. It listens to the end, because Node watches for late requests only while it does.
import { once } from 'node:events'
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import { checkNumbers } from '../checked-settings.js'
import { type HttpServer, isIdle } from './make-server.js'

export interface StopSettings {
  /** Milliseconds for which connections are still accepted, so that load balancers notice that readiness is 503. */
  readonly drainMs: number
  /** Milliseconds that requests in flight may then take. */
  readonly shutdownMs: number
}

/** While stopping, an idle connection is closed after this time without a byte: its next request may be on its way. */
const SILENT_MS = 1_000
const LOOK_INTERVAL_MS = 50

/** Returns a function that closes the connections that have long been silent. */
const makeCloseSilent = ({ connections }: HttpServer): (() => void) => {
  const heard = new WeakMap<object, { readonly bytes: number; readonly atMs: number }>()
  return () => {
    const now = performance.now()
    for (const connection of connections.values()) {
      const { socket } = connection
      const { bytesRead } = socket
      const last = heard.get(connection)
      if (last?.bytes !== bytesRead) heard.set(connection, { bytes: bytesRead, atMs: now })
      else if (now - last.atMs >= SILENT_MS && isIdle(connection)) socket.end(() => socket.destroy())
    }
  }
}

/** Closes the server and every connection at once. */
export const destroyServer = ({ server, connections }: HttpServer): void => {
  server.close()
  // not `closeAllConnections`, which forgets those after CONNECT
  for (const { socket } of connections.values()) socket.destroy()
}

/**
 * Resolves to whether all requests got their responses; connections still open at the deadline are closed. Each
 * response from now on is the last of its connection.
 */
export const stopServer = async (http: HttpServer, { drainMs, shutdownMs }: StopSettings): Promise<boolean> => {
  checkNumbers({ drainMs, shutdownMs })
  const { server, connections } = http
  const closeSilent = makeCloseSilent(http)
  http.endEach()
  closeSilent()
  await pause(drainMs)
  // accepts connections that arrived during this turn of the event loop
  await endOfTurn()
  server.on('connection', (socket) => socket.destroy())
  const deadlineMs = performance.now() + shutdownMs
  while (connections.size > 0 && performance.now() < deadlineMs) {
    closeSilent()
    await pause(Math.min(LOOK_INTERVAL_MS, shutdownMs))
    // reads first what has arrived: a timer runs before I/O
    await endOfTurn()
  }
  const isComplete = [...connections.values()].every(isIdle)
  const closed = once(server, 'close')
  destroyServer(http)
  await closed
  return isComplete
}
