// The address of a client, possibly as reported by a proxy, and the network by which rate limits count it.
import type { IncomingHttpHeaders } from 'node:http'

const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const IPV4 = new RegExp(String.raw`^${BYTE}(?:\.${BYTE}){3}$`)
/** The characters of an IPv6 address, with the optional zone of a link-local one. */
const MAYBE_IPV6 = /^([\da-f:.]+)(?:%[\da-z.:-]+)?$/i

/** Like `isIP` of `node:net`, but for any runtime. */
export const versionOfIp = (address: string): 0 | 4 | 6 => {
  if (IPV4.test(address)) return 4
  const [, unzoned] = MAYBE_IPV6.exec(address) ?? []
  return unzoned !== undefined && URL.canParse(`http://[${unzoned}]`) ? 6 : 0
}

/** An address in brackets or with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

/**
 * The address that the outermost trusted proxy appended to X-Forwarded-For: each proxy appends that of its client, so
 * the client may have forged all earlier ones. Undefined without a valid entry. `trustedProxies`: at least 1.
 */
export const forwardedAddress = (headers: IncomingHttpHeaders, trustedProxies: number): string | undefined => {
  const entries = headers['x-forwarded-for']?.toString().split(',') ?? []
  const entry = entries.at(-trustedProxies)?.trim() ?? ''
  const [, inBrackets, beforePort] = WITH_PORT.exec(entry) ?? []
  const address = inBrackets ?? beforePort ?? entry
  return versionOfIp(address) === 0 ? undefined : address
}

/** The eight groups of an IPv6 address. The URL parser normalises it: compressed, without dots. */
const groupsOf = (address: string): readonly string[] => {
  const [start = [], end = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end]
}

/** The first 96 bits. */
const HOLDS_IPV4 = ['0,0,0,0,0,ffff', '64,ff9b,0,0,0,0']

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because clients choose the
 * others freely (RFC 6177). An IPv6 address that holds an IPv4 address counts as that: mapped (RFC 4291 §2.5.5.2), or
 * of clients behind a NAT64, which all have one prefix (RFC 6052 §2.1).
 */
export const networkOf = (address: string): string => {
  // link-local addresses have a zone
  const [unzoned = ''] = address.split('%', 1)
  if (versionOfIp(unzoned) !== 6) return address
  const groups = groupsOf(unzoned)
  if (!HOLDS_IPV4.includes(groups.slice(0, 6).join())) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((bits) => `${bits >> 8}.${bits & 255}`)
    .join('.')
}
