// Counts the connections that a full server closes, and reports the begin and the end of each time in which it does.
import type { HttpServer } from '../adapters/http/server/make-server.js'
import type { Notify } from '../ports/notice.js'

/** The server is no longer full once it has this share of its connections: otherwise each one that leaves would be reported. */
const RELAXED = 0.9

/** Returns the number of connections refused so far. */
export const watchConnections = ({ server, connections }: HttpServer, notify: Notify): (() => number) => {
  let refused = 0
  let isFull = false
  server.on('drop', () => {
    refused += 1
    if (isFull) return
    isFull = true
    const details = { setting: 'MAX_CONNECTIONS', connections: String(server.maxConnections) }
    notify({ level: 'warn', message: 'connections are refused: as many are open as are allowed', details })
  })
  server.on('connection', () => {
    if (!isFull || connections.count() > RELAXED * server.maxConnections) return
    isFull = false
    notify({ level: 'info', message: 'connections are accepted again', details: { refused: String(refused) } })
  })
  return () => refused
}
