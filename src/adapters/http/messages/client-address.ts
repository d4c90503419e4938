// The address of the client behind proxies that are trusted.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** An address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

/**
 * What the outermost of so many proxies wrote into X-Forwarded-For: each adds the address of its own client at the end, so
 * whatever else the list holds came from the client. Undefined: there is no such entry, or it is no address.
 */
export const forwardedAddress = ({ headers }: IncomingMessage, trustedProxies: number): string | undefined => {
  if (trustedProxies === 0) return undefined
  const entries = headers['x-forwarded-for']?.toString().split(',') ?? []
  const entry = entries.at(-trustedProxies)?.trim() ?? ''
  const [, inBrackets, beforePort] = WITH_PORT.exec(entry) ?? []
  const address = inBrackets ?? beforePort ?? entry
  return isIP(address) === 0 ? undefined : address
}
