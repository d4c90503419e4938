// Binds a server to an address; an error names the settings that can mend it.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'

/** The codes of Node for a port that is in use or needs privileges. */
const PORT_CODES = new Set(['EADDRINUSE', 'EACCES'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Resolves to the server's URL, with the real port and without a path. `settings` is what the names of the settings begin
 * with. An address that is in use, unknown or not of this machine may be fine a minute later, so it is a failure (exit
 * code 1) and not a bad value.
 */
export const listen = async (
  server: Server,
  host: string,
  port: number,
  settings: '' | 'METRICS_',
): Promise<string> => {
  const shownHost = host.includes(':') ? `[${host}]` : host
  server.listen(port, host)
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
