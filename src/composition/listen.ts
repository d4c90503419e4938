// Binds a server to an address. An error names the setting to change.

import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { hostInUrl } from '../config/parsers.js'
import { asError, memberOf } from '../domain/thrown.js'

/** Connections that may wait to be accepted; Node's default is 511. If it is full, a client retries after 1 s. */
const BACKLOG = 4_096

/** Resolves to the URL with the real port. Not `BadConfiguration`, because an address in use may become available. */
export const listen = async (
  server: Server,
  host: string,
  port: number,
  settings: '' | 'METRICS_',
): Promise<string> => {
  if (host === '') throw new Error(`${settings}HOST: an empty address would be all of this machine's`)
  const shownHost = hostInUrl(host)
  try {
    server.listen({ port, host, backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    // the port is in use, needs privileges, or is invalid
    const setting = /EADDRINUSE|EACCES|BAD_PORT/.test(String(memberOf(error, 'code'))) ? 'PORT' : 'HOST'
    throw new Error(`${settings}${setting}: cannot listen on ${shownHost}:${port}: ${asError(error).message}`, {
      cause: error,
    })
  }
  return `http://${shownHost}:${(server.address() as AddressInfo).port}`
}
