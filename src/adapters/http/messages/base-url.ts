// The address under which a client reached the service.
import type { IncomingMessage } from 'node:http'

/** A Host header that names a host and, perhaps, a port (RFC 9112 §3.2), and nothing else. */
export const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** The base address with `/v1`, from the Host header or, without one (HTTP/1.0), from the socket. */
export const baseUrlOf = ({ headers, socket }: IncomingMessage): string => {
  const { localAddress = 'localhost', localPort } = socket
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `http://${headers.host ?? `${local}:${localPort}`}/v1`
}
