// Binds a server to an address, and watches its connections. An error names the setting to change.

import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { HttpServer } from '../adapters/http/server/make-server.js'
import { asError, memberOf } from '../domain/thrown.js'
import type { Notify } from '../ports/notice.js'

/** Connections that may wait to be accepted. Who finds the queue full tries again after a second; Node's default is 511. */
const BACKLOG = 4_096

/** Resolves to the URL with the real port. An address in use or unknown may become available: it is a failure, not a bad value. */
export const listen = async (
  server: Server,
  host: string,
  port: number,
  settings: '' | 'METRICS_',
): Promise<string> => {
  const shownHost = host.includes(':') ? `[${host}]` : host
  server.listen({ port, host, backlog: BACKLOG })
  try {
    await once(server, 'listening')
  } catch (error) {
    // the port is in use, or needs privileges
    const setting = /EADDRINUSE|EACCES/.test(String(memberOf(error, 'code'))) ? 'PORT' : 'HOST'
    throw new Error(`${settings}${setting}: cannot listen on ${shownHost}:${port}: ${asError(error).message}`, {
      cause: error,
    })
  }
  return `http://${shownHost}:${(server.address() as AddressInfo).port}`
}

/** The server is no longer full once it has this share of its connections: otherwise each one that leaves would be reported. */
const RELAXED = 0.9

/** Reports when a full server begins to refuse connections and when it accepts them again. Returns the number refused so far. */
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
