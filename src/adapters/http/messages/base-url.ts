// The public address of the service, as the client used it.
import type { IncomingMessage } from 'node:http'

/** The longest host name (RFC 1035 §2.3.4) with a port. */
const MAX_HOST_LENGTH = 253 + ':65535'.length
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Whether a Host header is only a host and an optional port (RFC 9112 §3.2). */
export const isHost = (host: string): boolean =>
  host.length <= MAX_HOST_LENGTH && HOST.test(host) && URL.canParse(`http://${host}`)

/** The base address with `/v1`, from the Host header or, without one (HTTP/1.0), from the socket. */
export const baseUrlOf = ({ headers, socket }: IncomingMessage): string => {
  const { localAddress = 'localhost', localPort } = socket
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `http://${headers.host ?? `${local}:${localPort}`}/v1`
}

/** Whether a proxy reports that the client used TLS (RFC 7239 §5.4, and the older header). */
export const isForwardedFromTls = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-proto']?.toString().toLowerCase().startsWith('https') === true ||
  headers.forwarded?.toLowerCase().includes('proto=https') === true ||
  headers['x-forwarded-ssl'] === 'on'
