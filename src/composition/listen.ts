// Binds a server to an address. An error names the setting to change.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { hostInUrl } from '../config/parsers.js'
import { asError, memberOf } from '../domain/thrown.js'

/** Connections that may wait to be accepted; Node's default is 511. If it is full, a client retries after 1 s. */
const BACKLOG = 4_096

/** The members of `ServiceSettings` that hold the address. */
export interface AddressNames {
  readonly host: string
  readonly port: string
}

/** Resolves to the URL with the real port. Not `BadConfiguration`, because an address in use may become available. */
export const listen = async (server: Server, host: string, port: number, names: AddressNames): Promise<string> => {
  if (host === '') throw new Error(`${names.host}: an empty address would be all of this machine's`)
  const shownHost = hostInUrl(host)
  try {
    server.listen({ port, host, backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    // the port is in use, needs privileges, or is invalid
    const setting = /EADDRINUSE|EACCES|BAD_PORT/.test(String(memberOf(error, 'code'))) ? names.port : names.host
    throw new Error(`${setting}: cannot listen on ${shownHost}:${port}: ${asError(error).message}`, {
      cause: error,
    })
  }
  return `http://${shownHost}:${(server.address() as AddressInfo).port}`
}
