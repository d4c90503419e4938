// Reports when a full server begins to refuse connections, and when it stops.
import type { HttpServer } from '../adapters/http/server/make-server.js'
import type { Notify } from '../ports/notice.js'

/** A full server counts as full until it is down to this share, so that not every single close is reported. */
const REOPEN_BELOW = 0.9

/** Returns a counter of refused connections. */
export const watchConnections = ({ server, connections }: HttpServer, notify: Notify): (() => number) => {
  let refused = 0
  let isFull = false
  const look = (): void => {
    if (connections.size > REOPEN_BELOW * server.maxConnections) return
    isFull = false
    server.off('connection', look)
    notify({ level: 'info', message: 'connections are accepted again', details: { refused: String(refused) } })
  }
  server.on('drop', () => {
    refused += 1
    if (isFull) return
    isFull = true
    server.on('connection', look)
    const details = { setting: 'MAX_CONNECTIONS', connections: String(server.maxConnections) }
    notify({ level: 'warn', message: 'connections are refused: as many are open as are allowed', details })
  })
  return () => refused
}
