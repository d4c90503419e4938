// The public address of the service, as the client used it.
import type { IncomingMessage } from 'node:http'
import type { Notify } from '../../../ports/notice.js'

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
const isForwardedFromTls = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['x-forwarded-proto']?.toString().toLowerCase().startsWith('https') === true ||
  headers.forwarded?.toLowerCase().includes('proto=https') === true ||
  headers['x-forwarded-ssl'] === 'on'

/** Warns once if clients use TLS, but no public address is set, so links in responses say `http`. */
export const makeTlsWarning = ({
  publicUrl,
  notify,
}: {
  readonly publicUrl: string | undefined
  readonly notify: Notify
}): ((message: Pick<IncomingMessage, 'headers'>) => void) => {
  let hasWarned = publicUrl !== undefined
  return (message) => {
    if (hasWarned || !isForwardedFromTls(message)) return
    hasWarned = true
    const text = 'requests come through a TLS proxy, but Link and Location say http: set PUBLIC_URL'
    notify({ level: 'warn', message: text, details: { setting: 'PUBLIC_URL' } })
  }
}
