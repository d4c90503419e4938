// Binds a server to an address. An error names the setting to change.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'

/** Node's codes for a port that is in use or needs privileges. */
const PORT_CODES = new Set(['EADDRINUSE', 'EACCES'])

/** Connections that may wait to be accepted. Who finds the queue full tries again after a second; Node's default is 511. */
const BACKLOG = 4_096

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Resolves to the server's URL, with the real port and without a path. `settings` is the prefix of the setting names. An
 * address that is in use, unknown or not of this machine may become available, so it is a failure (exit code 1) and not a
 * bad value.
 */
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
    const setting = PORT_CODES.has(codeOf(error)) ? 'PORT' : 'HOST'
    throw new Error(`${settings}${setting}: cannot listen on ${shownHost}:${port}: ${E.toError(error).message}`, {
      cause: error,
    })
  }
  return `http://${shownHost}:${(server.address() as AddressInfo).port}`
}
