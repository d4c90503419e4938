// The address of the client behind proxies that are trusted.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** An address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

/**
 * The address that the outermost trusted proxy added to X-Forwarded-For: each proxy adds that of its client at the end, so
 * all earlier entries came from the client. Undefined if there is no such entry, or it is not an address.
 */
export const forwardedAddress = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  trustedProxies: number,
): string | undefined => {
  if (trustedProxies === 0) return undefined
  const entries = headers['x-forwarded-for']?.toString().split(',') ?? []
  const entry = entries.at(-trustedProxies)?.trim() ?? ''
  const [, inBrackets, beforePort] = WITH_PORT.exec(entry) ?? []
  const address = inBrackets ?? beforePort ?? entry
  return isIP(address) === 0 ? undefined : address
}
